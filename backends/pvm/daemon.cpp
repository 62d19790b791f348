// SPDX-License-Identifier: BSD-3-Clause
#include "backends/pvm/daemon.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <vector>

#include "backends/pvm/watchdog.hpp"
#include "generic/base/error.hpp"
#include "generic/system/installed_files.hpp"
#include "generic/system/pipe.hpp"
#include "generic/system/read_file.hpp"
#include "generic/system/unix_socket.hpp"

namespace earl::pvm_backend {

namespace fs = std::filesystem;

namespace {

constexpr auto start_allowed = std::chrono::seconds{20};
constexpr auto stop_allowed = std::chrono::seconds{5};
/// The socket's name must fit a sockaddr_un, with pvmtmp and numbers behind the folder's.
constexpr std::size_t longest_folder = 60;

int milliseconds(std::chrono::seconds time) {
  return static_cast<int>(std::chrono::milliseconds{time}.count());
}

std::string find_daemon() {
  if (auto path = find_command("pvmd"); !path.empty()) return path;
  throw Error("there is no pvmd here, PVM's daemon; install the package pvm (apt-get install pvm)");
}

std::string new_folder() {
  char const* const wanted = std::getenv("TMPDIR");
  std::string folder = wanted && *wanted == '/' ? wanted : "/tmp";
  if (folder.size() > longest_folder) folder = "/tmp";
  folder += "/earl-pvm-XXXXXX";
  if (!::mkdtemp(folder.data()))
    throw Error("no directory {} for the PVM daemon: {}; TMPDIR names another place", folder,
                system_message(errno));
  return folder;
}

bool readable(int fd, std::chrono::seconds most) {
  pollfd one{.fd = fd, .events = POLLIN, .revents = 0};
  int got = 0;
  do {
    got = ::poll(&one, 1, milliseconds(most));
  } while (got < 0 && errno == EINTR);
  return got > 0;
}

/// The last line of a file that is not empty.
std::string last_line(fs::path const& path) {
  std::istringstream file{read_file(path).value_or("")};
  std::string last;
  for (std::string line; std::getline(file, line);)
    if (!line.empty()) last = line;
  return last;
}

/// The system's error for a new file of one page there; 0: it can be written.
int write_error_in(std::string const& folder) {
  auto const path = folder + "/room";
  constexpr std::size_t page = 4096;
  std::vector<char> const bytes(page, 'x');
  Descriptor const file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  auto const written = file ? ::write(file.get(), bytes.data(), page) : -1;
  int const error = written < 0 ? errno : written < static_cast<ssize_t>(page) ? ENOSPC : 0;
  ::unlink(path.c_str());
  return error;
}

/// The file with the socket of a running daemon: PVM's own rules.
std::string address_file() {
  auto const setting = [](char const* name) {
    char const* const text = std::getenv(name);
    return std::string{text ? text : ""};
  };
  auto const folder = setting("PVM_TMP");
  auto const id = setting("PVM_VMID");
  return fmt::format("{}/pvmd.{}{}{}", folder.empty() ? "/tmp" : folder, ::getuid(),
                     id.empty() ? "" : ".", id);
}

std::string running_socket() {
  if (char const* const given = std::getenv("PVMSOCK")) return given;
  auto const file = address_file();
  auto socket = last_line(file);
  if (socket.empty())
    throw Error(
        "no PVM daemon of yours is running on this host ({} is not there), as EARL_PVM=join and "
        "jobs of several hosts need; start one with `pvm`",
        file);
  return socket;
}

/// A connection to the daemon, which is closed when that ends.
Descriptor connect_to_daemon(std::string const& socket) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  Descriptor line(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (socket.size() >= sizeof address.sun_path)
    throw Error(
        "cannot use the PVM daemon's socket {}: its name is too long; set PVM_TMP to a shorter "
        "directory and start the daemon again",
        socket);
  socket.copy(address.sun_path, socket.size());
  if (::connect(line.get(), reinterpret_cast<sockaddr const*>(&address), sizeof address) != 0)
    throw Error(
        "the PVM daemon at {} does not answer ({}), as EARL_PVM=join and jobs of several hosts "
        "need; start it again with `pvm`, after deleting the files that a dead one left",
        socket, system_message(errno));
  return line;
}

/// The daemon's process. None for that of a host that was added: it has gone on in a child since it
/// began to listen, and the system names the parent.
Descriptor process_behind(Descriptor const& line) {
  auto const peer = peer_of(line.get());
  if (peer.pid == 0) return {};
  return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, peer.pid, 0)));
}

}  // namespace

PrivateDaemon::PrivateDaemon() {
  auto const daemon = find_daemon();
  folder_ = new_folder();
  try {
    start(daemon);
    socket_ = first_line();
  } catch (...) {
    stop();
    throw;
  }
}

PrivateDaemon::~PrivateDaemon() { stop(); }

void PrivateDaemon::start(std::string const& daemon) {
  auto watchdog_pipe = make_pipe("to the PVM daemon");
  auto output = make_pipe("from the PVM daemon");
  watchdog_ = start_watchdog({.daemon = daemon,
                              .folder = folder_,
                              .watchdog_pipe = watchdog_pipe.read.get(),
                              .output = output.write.get()});
  watchdog_pipe_ = std::move(watchdog_pipe.write);
  output_ = std::move(output.read);
}

/// The daemon's output when it is ready: its socket.
std::string PrivateDaemon::first_line() {
  std::string line;
  for (char c = 0; readable(output_.get(), start_allowed);) {
    if (::read(output_.get(), &c, 1) != 1) break;
    if (c == '\n') return line;
    line += c;
  }
  auto const summary = error_summary();
  throw Error("the PVM daemon (pvmd) did not start{}{}", summary.empty() ? "" : ": ", summary);
}

/// Why it did not start, as far as it has said so. Where there is no room it could not.
std::string PrivateDaemon::error_summary() const {
  if (auto const error = write_error_in(folder_); error != 0)
    return fmt::format("{} cannot be written: {}; make room, or name another directory in TMPDIR",
                       folder_, system_message(error));
  if (auto summary = last_line(fs::path(folder_) / watchdog_error_file); !summary.empty())
    return summary;
  return last_line(fs::path(folder_) / fmt::format("pvml.{}.earl", ::getuid()));
}

void PrivateDaemon::stop() {
  watchdog_pipe_.close();
  if (watchdog_ > 0) {
    Descriptor const watchdog(static_cast<int>(::syscall(SYS_pidfd_open, watchdog_, 0)));
    if (watchdog && !readable(watchdog.get(), stop_allowed)) ::kill(watchdog_, SIGKILL);
    ::waitpid(watchdog_, nullptr, 0);
  }
  // The watchdog has done it, unless it was killed.
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

UserVirtualMachine::UserVirtualMachine() : ended_(::epoll_create1(EPOLL_CLOEXEC)) {
  if (!ended_) throw Error("no epoll descriptor for the PVM daemon: {}", system_message(errno));
  socket_ = running_socket();
  auto line = connect_to_daemon(socket_);
  auto process = process_behind(line);
  // Its `ps -x` shows the line as a task without a number, so only where there is no other way.
  watch(process ? std::move(process) : std::move(line));
}

void UserVirtualMachine::watch(Descriptor daemon) {
  daemon_ = std::move(daemon);
  epoll_event event{.events = EPOLLIN, .data = {}};
  if (::epoll_ctl(ended_.get(), EPOLL_CTL_ADD, daemon_.get(), &event) != 0)
    throw Error("the PVM daemon cannot be watched: {}", system_message(errno));
}

/// An ended process may be the parent of an added host's daemon, or its pid may have been reused.
bool UserVirtualMachine::has_ended() {
  try {
    watch(connect_to_daemon(socket_));
    return false;
  } catch (Error const&) {
    return true;
  }
}

}  // namespace earl::pvm_backend
