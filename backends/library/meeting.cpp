#include "backends/library/meeting.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "generic/error.hpp"

namespace earl::library_machine {

namespace {

using Clock = std::chrono::steady_clock;

/// Between one look for the meeting and the next.
constexpr auto pause_for_exec = std::chrono::milliseconds{5};
constexpr auto silence_allowed = timeval{.tv_sec = 10, .tv_usec = 0};

std::string contents(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>{file}, {}};
}

struct Origin {
  pid_t parent = 0;
  std::string started{};  ///< in the system's ticks
};

/// As /proc/PID/stat says it.
Origin origin_of(pid_t pid) {
  auto const facts = contents(fmt::format("/proc/{}/stat", pid));
  auto const name_ends = facts.rfind(')');  // a name may hold anything
  Origin found;
  if (name_ends == std::string::npos) return found;
  std::istringstream fields(facts.substr(name_ends + 1));
  std::string state;
  fields >> state >> found.parent;
  for (int at = 5; at <= 22; ++at) fields >> found.started;
  return found;
}

bool has_in_environment(pid_t pid, std::string const& assignment) {
  auto const all = '\0' + contents(fmt::format("/proc/{}/environ", pid));
  return all.find('\0' + assignment + '\0') != std::string::npos;
}

/// The nearest process that has not been told the rank itself: between may be scripts.
pid_t find_launcher(std::string_view rank) {
  char const* const value = std::getenv(std::string{rank}.c_str());
  auto const assignment = fmt::format("{}={}", rank, value ? value : "");
  auto pid = ::getppid();
  while (pid > 1 && has_in_environment(pid, assignment)) pid = origin_of(pid).parent;
  return pid;
}

/// Of a socket without a file; gives its length, too.
socklen_t fill(sockaddr_un& address, std::string const& name) {
  address.sun_family = AF_UNIX;
  name.copy(&address.sun_path[1], sizeof address.sun_path - 1);
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
}

bool is_of_this_user(int line) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(line, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::geteuid();
}

}  // namespace

Meeting::Meeting(std::string_view rank) {
  auto const launcher = find_launcher(rank);
  name_ = fmt::format("earl-exec-{}-{}-{}", ::geteuid(), launcher, origin_of(launcher).started);
  launcher_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, launcher, 0)));
  if (!launcher_)
    throw Error("what has started this process cannot be watched: {}", system_message(errno));
}

void Meeting::open(int most) {
  sockaddr_un address{};
  auto const size = fill(address, name_);
  listener_ = Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!listener_ ||
      ::bind(listener_.get(), reinterpret_cast<sockaddr const*>(&address), size) != 0 ||
      ::listen(listener_.get(), most) != 0)
    throw Error("no socket @{} for the other processes: {}", name_, system_message(errno));
}

/// False: there is nobody to wait for. `listener` may be none.
bool Meeting::goes_on(int listener, std::chrono::milliseconds at_most) const {
  std::array<pollfd, 2> files{pollfd{.fd = launcher_.get(), .events = POLLIN, .revents = 0},
                              pollfd{.fd = listener, .events = POLLIN, .revents = 0}};
  ::poll(files.data(), files.size(), static_cast<int>(at_most.count()));
  return files[0].revents == 0;
}

Descriptor Meeting::next(Clock::time_point until) {
  for (auto now = Clock::now(); now < until; now = Clock::now()) {
    auto const left = std::chrono::ceil<std::chrono::milliseconds>(until - now);
    if (!goes_on(listener_.get(), left)) return {};
    pollfd file{.fd = listener_.get(), .events = POLLIN, .revents = 0};
    if (::poll(&file, 1, 0) != 1) continue;
    Descriptor line(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    ::setsockopt(line.get(), SOL_SOCKET, SO_RCVTIMEO, &silence_allowed, sizeof silence_allowed);
    if (line && is_of_this_user(line.get())) return line;
  }
  return {};
}

Descriptor Meeting::join(Clock::time_point until) {
  sockaddr_un address{};
  auto const size = fill(address, name_);
  while (Clock::now() < until) {
    Descriptor line(::socket(AF_UNIX, SOCK_STREAM, 0));
    if (line && ::connect(line.get(), reinterpret_cast<sockaddr const*>(&address), size) == 0 &&
        is_of_this_user(line.get()))
      return line;
    if (!goes_on(-1, pause_for_exec)) return {};
  }
  return {};
}

}  // namespace earl::library_machine
