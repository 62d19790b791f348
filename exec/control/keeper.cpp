#include "exec/control/keeper.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <sstream>

#include "generic/error.hpp"
#include "generic/read_file.hpp"
#include "generic/unix_socket.hpp"

namespace earl::boot {

namespace {

constexpr std::string_view prefix = "earl-";
constexpr std::string_view console_prefix = "job.";
constexpr std::string_view session_prefix = "pvm.";
constexpr int backlog = 64;

/// "earl-", the user, "-", the name.
AbstractName address_of(std::string_view name) {
  auto const longest =
      name.starts_with(session_prefix) ? longest_session_name : longest_keeper_name;
  if (name.empty() || name.size() > longest)
    throw Error("the name '{}' has {} characters; 1 to {} are allowed", name, name.size(), longest);
  return AbstractName(fmt::format("{}{}-{}", prefix, ::geteuid(), name));
}

Descriptor new_socket() {
  Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!socket) throw Error("no socket for a keeper: {}", system_message(errno));
  return socket;
}

struct Keeper {
  uid_t user = 0;
  std::string name;
};

/// Every user's, from the system's list of abstract sockets ("... @earl-1000-name").
std::vector<Keeper> all_keepers() {
  std::vector<Keeper> all;
  std::istringstream list(read_file("/proc/net/unix").value_or(""));
  for (std::string line; std::getline(list, line);) {
    auto const at = line.find(" @earl-");
    if (at == std::string::npos) continue;
    std::string_view const rest = std::string_view(line).substr(at + 2 + prefix.size());
    Keeper keeper;
    auto const parsed = std::from_chars(rest.data(), rest.data() + rest.size(), keeper.user);
    auto const used = static_cast<std::size_t>(parsed.ptr - rest.data());
    if (parsed.ec != std::errc{} || used >= rest.size() || rest[used] != '-') continue;
    keeper.name = rest.substr(used + 1);
    all.push_back(std::move(keeper));
  }
  return all;
}

enum class Kind { cube, console, session };

Kind kind_of(std::string_view name) {
  if (name.starts_with(console_prefix)) return Kind::console;
  return name.starts_with(session_prefix) ? Kind::session : Kind::cube;
}

std::vector<std::string> own_names(Kind kind) {
  std::vector<std::string> names;
  for (auto const& keeper : all_keepers())
    if (keeper.user == ::geteuid() && kind_of(keeper.name) == kind) names.push_back(keeper.name);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

std::string default_keeper_name() {
  char const* name = std::getenv("EARL_CUBE");
  return name && *name ? name : "defaultname";
}

Descriptor connect_keeper(std::string_view name) {
  auto const address = address_of(name);
  auto socket = new_socket();
  if (::connect(socket.get(), address.generic(), address.size) != 0) {
    if (errno == ECONNREFUSED) return {};
    throw Error("the keeper of {}: {}", name, system_message(errno));
  }
  // Anybody may take a name that says it is somebody else's.
  if (auto const peer = peer_of(socket.get()); peer.uid != ::geteuid())
    throw Error(
        Fault::denied,
        "the name {} is in use on this host by a process of user {}, not by a keeper of yours; "
        "choose another",
        name, peer.uid);
  return socket;
}

Descriptor listen_as_keeper(std::string_view name) {
  auto const address = address_of(name);
  auto socket = new_socket();
  if (::bind(socket.get(), address.generic(), address.size) != 0) {
    if (errno != EADDRINUSE) throw Error("the keeper of {}: {}", name, system_message(errno));
    // Of this user it is a keeper, which answers.
    if (connect_keeper(name)) return {};
    throw Error(Fault::denied,
                "the name {} is in use on this host by a process that is no keeper; choose another",
                name);
  }
  if (::listen(socket.get(), backlog) != 0)
    throw Error("the keeper of {}: {}", name, system_message(errno));
  return socket;
}

Visitor accept_visitor(int listener) {
  Visitor visitor{.channel = Descriptor(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC))};
  if (!visitor.channel) return {};
  auto const peer = peer_of(visitor.channel.get());
  if (peer.uid != ::geteuid()) return {};
  visitor.unix_pid = peer.pid;
  return visitor;
}

std::string console_name(pid_t exec) { return fmt::format("{}{}", console_prefix, exec); }

std::vector<std::string> keeper_names() { return own_names(Kind::cube); }

std::vector<std::string> console_names() { return own_names(Kind::console); }

std::string session_name() {
  auto const setting = [](char const* name) {
    char const* const value = std::getenv(name);
    return std::string{value ? value : ""};
  };
  auto const folder = setting("PVM_TMP");
  auto const elsewhere = folder.empty() || folder == "/tmp" ? std::string{} : "@" + folder;
  return fmt::format("{}{}{}", session_prefix, setting("PVM_VMID"), elsewhere);
}

std::string no_such_keeper(std::string_view name) {
  if (kind_of(name) == Kind::session)
    return "there is no virtual machine of yours; `pvm` starts it";
  for (auto const& keeper : all_keepers())
    if (keeper.name == name && keeper.user != ::geteuid())
      return fmt::format("the cube {} belongs to user {}, not to you (user {})", name, keeper.user,
                         ::geteuid());
  return fmt::format("there is no cube {}, or its keeper has gone; `getcube -c {}` gets one", name,
                     name);
}

}  // namespace earl::boot
