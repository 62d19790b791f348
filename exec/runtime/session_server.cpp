// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/session_server.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <set>
#include <sstream>
#include <thread>

#include "generic/base/error.hpp"
#include "generic/base/values.hpp"
#include "generic/system/read_file.hpp"
#include "generic/system/unix_socket.hpp"

namespace earl::boot {

namespace {

constexpr std::string_view prefix = "earl-";
constexpr std::string_view console_prefix = "job.";
constexpr std::string_view session_prefix = "pvm.";
constexpr std::string_view shell_prefix = "sid.";
constexpr int backlog = 64;
/// Between its bind() and its listen() a session server refuses connections.
constexpr auto longest_opening = std::chrono::seconds{5};
constexpr auto opening_interval = std::chrono::milliseconds{1};

/// "earl-", the user, "-", the name.
AbstractName address_of(std::string_view name) {
  auto const longest = name.starts_with(session_prefix) ? longest_session_name : longest_cube_name;
  if (name.empty() || name.size() > longest)
    throw Error("the name '{}' has {} characters; 1 to {} are allowed", name, name.size(), longest);
  return AbstractName(fmt::format("{}{}-{}", prefix, ::geteuid(), name));
}

Descriptor new_socket() {
  Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!socket) throw Error("no socket for a session server: {}", system_message(errno));
  return socket;
}

/// Empty: another process has the name.
Descriptor bind_session_server(std::string_view name) {
  auto const address = address_of(name);
  auto socket = new_socket();
  if (::bind(socket.get(), address.generic(), address.size) == 0) return socket;
  if (errno == EADDRINUSE) return {};
  throw Error("the session server of {}: {}", name, system_message(errno));
}

struct SessionServer {
  uid_t user = 0;
  std::string name;
};

/// Every user's, from the system's list of abstract sockets ("... @earl-1000-name").
std::vector<SessionServer> all_session_servers() {
  std::vector<SessionServer> all;
  std::istringstream list(read_file("/proc/net/unix").value_or(""));
  for (std::string line; std::getline(list, line);) {
    auto const at = line.find(" @earl-");
    if (at == std::string::npos) continue;
    std::string_view const rest = std::string_view(line).substr(at + 2 + prefix.size());
    SessionServer session_server;
    auto const parsed =
        std::from_chars(rest.data(), rest.data() + rest.size(), session_server.user);
    auto const used = static_cast<std::size_t>(parsed.ptr - rest.data());
    if (parsed.ec != std::errc{} || used >= rest.size() || rest[used] != '-') continue;
    session_server.name = rest.substr(used + 1);
    all.push_back(std::move(session_server));
  }
  return all;
}

enum class Kind { cube, console, session, shell };

Kind kind_of(std::string_view name) {
  if (name.starts_with(console_prefix)) return Kind::console;
  if (name.starts_with(shell_prefix)) return Kind::shell;
  return name.starts_with(session_prefix) ? Kind::session : Kind::cube;
}

std::vector<std::string> own_names(Kind kind) {
  std::vector<std::string> names;
  for (auto const& session_server : all_session_servers())
    if (session_server.user == ::geteuid() && kind_of(session_server.name) == kind)
      names.push_back(session_server.name);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

std::string default_session_name() {
  char const* name = std::getenv("EARL_CUBE");
  return name && *name ? name : "defaultname";
}

/// The process id makes it unique: the mark of a cube that is being released may still be there.
Descriptor mark_of_shell(std::string_view cube) {
  const AbstractName address(fmt::format("{}{}-{}{}.{}.{}", prefix, ::geteuid(), shell_prefix,
                                         ::getsid(0), ::getpid(), cube));
  auto socket = new_socket();
  if (::bind(socket.get(), address.generic(), address.size) != 0)
    throw Error("the session server of {}: {}", cube, system_message(errno));
  return socket;
}

std::string cube_of_shell() {
  auto const mine = fmt::format("{}{}.", shell_prefix, ::getsid(0));
  auto const live = session_server_names();
  std::set<std::string> cubes;
  for (auto const& name : own_names(Kind::shell)) {
    if (!name.starts_with(mine)) continue;
    auto cube = name.substr(std::min(name.find('.', mine.size()), name.size() - 1) + 1);
    if (std::ranges::count(live, cube) != 0) cubes.insert(std::move(cube));
  }
  return cubes.size() == 1 ? *cubes.begin() : std::string{};
}

Descriptor connect_session_server(std::string_view name) {
  auto const address = address_of(name);
  auto socket = new_socket();
  if (::connect(socket.get(), address.generic(), address.size) != 0) {
    if (errno == ECONNREFUSED) return {};
    throw Error("the session server of {}: {}", name, system_message(errno));
  }
  // Any user may take a name that says it is another user's.
  if (auto const peer = peer_of(socket.get()); peer.uid != ::geteuid())
    throw Error(Fault::denied,
                "the name {} is in use on this host by a process of user {}, not by a session "
                "server of yours; "
                "choose another",
                name, peer.uid);
  return socket;
}

Descriptor listen_as_session_server(std::string_view name) {
  auto const deadline = Clock::now() + longest_opening;
  for (;;) {
    if (auto socket = bind_session_server(name)) {
      if (::listen(socket.get(), backlog) != 0)
        throw Error("the session server of {}: {}", name, system_message(errno));
      return socket;
    }
    // A socket of this user is a session server, which answers, or will soon.
    if (connect_session_server(name)) return {};
    if (Clock::now() >= deadline)
      throw Error(Fault::denied,
                  "the name {} is in use on this host by a process that is no session server; "
                  "choose another",
                  name);
    std::this_thread::sleep_for(opening_interval);
  }
}

SessionConnection accept_client(int listener) {
  SessionConnection console{.channel =
                                Descriptor(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC))};
  if (!console.channel) return {};
  auto const peer = peer_of(console.channel.get());
  if (peer.uid != ::geteuid()) return {};
  console.unix_pid = peer.pid;
  return console;
}

std::string console_name(pid_t exec) { return fmt::format("{}{}", console_prefix, exec); }

std::vector<std::string> session_server_names() { return own_names(Kind::cube); }

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

std::string no_such_session(std::string_view name) {
  if (kind_of(name) == Kind::session)
    return "there is no virtual machine of yours; `pvm` starts it";
  for (auto const& session_server : all_session_servers())
    if (session_server.name == name && session_server.user != ::geteuid())
      return fmt::format("the cube {} belongs to user {}, not to you (user {})", name,
                         session_server.user, ::geteuid());
  return fmt::format(
      "there is no cube {}, or its session server has gone; `getcube -c {}` gets one", name, name);
}

}  // namespace earl::boot
