// SPDX-License-Identifier: BSD-3-Clause
#include "backends/hosted/meeting.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "generic/base/error.hpp"
#include "generic/system/process_stat.hpp"
#include "generic/system/read_file.hpp"
#include "generic/system/unix_socket.hpp"

namespace earl::hosted_backend {

namespace {

using Clock = std::chrono::steady_clock;

/// Between one look for the meeting and the next.
constexpr auto pause_for_exec = std::chrono::milliseconds{5};
constexpr auto silence_allowed = timeval{.tv_sec = 10, .tv_usec = 0};

bool has_in_environment(pid_t pid, std::string const& assignment) {
  auto const all = '\0' + read_file(fmt::format("/proc/{}/environ", pid)).value_or("");
  return all.find('\0' + assignment + '\0') != std::string::npos;
}

/// The nearest process that does not know the rank itself: between may be scripts.
pid_t find_launcher(std::string_view rank) {
  char const* const value = std::getenv(std::string{rank}.c_str());
  auto const assignment = fmt::format("{}={}", rank, value ? value : "");
  auto pid = ::getppid();
  while (pid > 1 && has_in_environment(pid, assignment)) pid = parent_of(pid).value_or(0);
  return pid;
}

}  // namespace

Meeting::Meeting(std::string_view rank) {
  auto const launcher = find_launcher(rank);
  name_ = fmt::format("earl-exec-{}-{}-{}", ::geteuid(), launcher, start_of(launcher).value_or(""));
  launcher_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, launcher, 0)));
  if (!launcher_)
    throw Error("cannot watch the launcher of this process: {}", system_message(errno));
}

void Meeting::open(int most) {
  const AbstractName address(name_);
  listener_ = Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!listener_ || ::bind(listener_.get(), address.generic(), address.size) != 0 ||
      ::listen(listener_.get(), most) != 0)
    throw Error("no socket @{} for the other processes: {}", name_, system_message(errno));
}

/// False: there is none to wait for. `listener` may be none.
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
  const AbstractName address(name_);
  while (Clock::now() < until) {
    Descriptor line(::socket(AF_UNIX, SOCK_STREAM, 0));
    if (line && ::connect(line.get(), address.generic(), address.size) == 0 &&
        is_of_this_user(line.get()))
      return line;
    if (!goes_on(-1, pause_for_exec)) return {};
  }
  return {};
}

}  // namespace earl::hosted_backend
