// SPDX-License-Identifier: BSD-3-Clause
#include "backends/pvm/watchdog.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "generic/base/error.hpp"
#include "generic/system/descriptor.hpp"
#include "generic/system/installed_files.hpp"

namespace earl::pvm_backend {

namespace {

constexpr int grace = 2000;  ///< milliseconds for the daemon to end when asked

void keep_only(std::array<int, 2> const& kept) {
  int const lower = std::min(kept[0], kept[1]);
  int const upper = std::max(kept[0], kept[1]);
  auto const close_range = [](int first, int last) {
    if (first <= last)
      ::syscall(SYS_close_range, static_cast<unsigned>(first), static_cast<unsigned>(last), 0U);
  };
  close_range(STDERR_FILENO + 1, lower - 1);
  close_range(lower + 1, upper - 1);
  close_range(upper + 1, INT32_MAX);
}

/// Nothing of EXEC's: its standard output must end when EXEC does.
void close_standard_files() {
  Descriptor const null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null.get(), fd);
}

[[noreturn]] void become_daemon(WatchedDaemon const& watched, pid_t watchdog) {
  prepare_for_command(watchdog);
  ::dup2(watched.output, STDOUT_FILENO);
  auto const errors = watched.folder + "/" + watchdog_error_file;
  Descriptor const file(::open(errors.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  ::dup2(file.get(), STDERR_FILENO);
  ::setenv("PVM_TMP", watched.folder.c_str(), 1);
  ::setenv("PVM_VMID", "earl", 1);
  ::setenv("PVM_ALLOW_ROOT", "1", 1);
  ::unsetenv("PVMSOCK");
  // The address: a host name that does not resolve would keep it from starting.
  ::execl(watched.daemon.c_str(), "pvmd", "-n127.0.0.1", static_cast<char*>(nullptr));
  ::dprintf(STDERR_FILENO, "%s: %s\n", watched.daemon.c_str(), std::strerror(errno));
  ::_exit(127);
}

bool wait_for(int fd, int milliseconds) {
  pollfd one{.fd = fd, .events = POLLIN, .revents = 0};
  int got = 0;
  do {
    got = ::poll(&one, 1, milliseconds);
  } while (got < 0 && errno == EINTR);
  return got > 0;
}

void end_daemon(pid_t daemon) {
  Descriptor const handle(static_cast<int>(::syscall(SYS_pidfd_open, daemon, 0)));
  ::kill(daemon, SIGTERM);
  if (!handle || !wait_for(handle.get(), grace)) ::kill(daemon, SIGKILL);
  ::waitpid(daemon, nullptr, 0);
}

[[noreturn]] void run_watchdog(WatchedDaemon const& watched) {
  ::prctl(PR_SET_NAME, "earl-pvm");
  ::setsid();
  // Only the end of that pipe ends it: EXEC gets all these signals, too, and decides when.
  for (int const number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(number, SIG_IGN);
  ::signal(SIGCHLD, SIG_DFL);
  keep_only({watched.watchdog_pipe, watched.output});
  close_standard_files();
  pid_t const self = ::getpid();
  pid_t const daemon = ::fork();
  if (daemon == 0) become_daemon(watched, self);
  ::close(watched.output);
  wait_for(watched.watchdog_pipe, -1);
  if (daemon > 0) end_daemon(daemon);
  std::error_code ignored;
  std::filesystem::remove_all(watched.folder, ignored);
  ::_exit(0);
}

}  // namespace

pid_t start_watchdog(WatchedDaemon const& watched) {
  pid_t const watchdog = ::fork();
  if (watchdog == 0) run_watchdog(watched);
  if (watchdog < 0) throw Error("no process for the PVM daemon: {}", system_message(errno));
  return watchdog;
}

}  // namespace earl::pvm_backend
