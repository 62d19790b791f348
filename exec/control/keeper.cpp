#include "exec/control/keeper.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fstream>

#include "generic/error.hpp"
#include "generic/unix_socket.hpp"

namespace earl::boot {

namespace {

constexpr std::string_view prefix = "earl-";
constexpr std::string_view console_prefix = "job.";
constexpr int backlog = 64;

/// "earl-", the user, "-", the name.
AbstractName address_of(std::string_view name) {
  if (name.empty() || name.size() > longest_keeper_name)
    throw Error("the name '{}' has {} characters; 1 to {} are allowed", name, name.size(),
                longest_keeper_name);
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
  std::ifstream list("/proc/net/unix");
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

std::vector<std::string> own_names(bool consoles) {
  std::vector<std::string> names;
  for (auto const& keeper : all_keepers())
    if (keeper.user == ::geteuid() && keeper.name.starts_with(console_prefix) == consoles)
      names.push_back(keeper.name);
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
    throw Error(Fault::denied, "what calls itself the keeper of {} belongs to user {}", name,
                peer.uid);
  return socket;
}

Descriptor listen_as_keeper(std::string_view name) {
  auto const address = address_of(name);
  auto socket = new_socket();
  if (::bind(socket.get(), address.generic(), address.size) != 0) {
    if (errno == EADDRINUSE) return {};
    throw Error("the keeper of {}: {}", name, system_message(errno));
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

std::vector<std::string> keeper_names() { return own_names(false); }

std::vector<std::string> console_names() { return own_names(true); }

std::string no_such_keeper(std::string_view name) {
  for (auto const& keeper : all_keepers())
    if (keeper.name == name && keeper.user != ::geteuid())
      return fmt::format("the cube {} belongs to user {}, not to you (user {})", name, keeper.user,
                         ::geteuid());
  return fmt::format("there is no cube {}, or its keeper has gone; `getcube -c {}` gets one", name,
                     name);
}

}  // namespace earl::boot
