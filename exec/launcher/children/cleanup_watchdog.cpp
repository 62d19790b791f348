// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/children/cleanup_watchdog.hpp"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "exec/launcher/children/mark.hpp"
#include "generic/system/pipe.hpp"

namespace earl::exec {

namespace {

constexpr char const* cleanup_watchdog_name = "earl-watchdog";
/// Watchdogs that keep a back end's launcher (backends/hosted) have its folder to remove.
constexpr char const* launcher_watchdog_name = "earl-launcher";
constexpr int most_removals = 200;
constexpr useconds_t removal_pause = 10'000;

/// Processes that end just now may still put files there.
void remove(std::string const& folder) {
  std::error_code failed;
  for (int i = 0; i < most_removals && !folder.empty(); ++i) {
    std::filesystem::remove_all(folder, failed);
    if (!failed) return;
    ::usleep(removal_pause);
  }
}

/// Woken by SIGCONT, which also reaches a watchdog that was stopped with the nodes (Ctrl-Z).
[[noreturn]] void run_watchdog(pid_t exec, std::string_view mark, std::string const& folder) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_NAME, cleanup_watchdog_name);
  sigset_t signals{};
  ::sigfillset(&signals);
  ::sigprocmask(SIG_SETMASK, &signals, nullptr);
  ::prctl(PR_SET_PDEATHSIG, SIGCONT);
  ::syscall(SYS_close_range, 0U, ~0U, 0U);
  [[maybe_unused]] auto const moved = ::chdir("/");
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGCONT);
  while (::getppid() == exec) ::sigwaitinfo(&signals, nullptr);
  end_marked(mark);
  remove(folder);
  ::kill(0, SIGKILL);
  ::_exit(0);
}

/// Returns when no process holds the other end: until then the watchdog also holds the listener of
/// a session server, whose name would outlive it.
void await_end(Descriptor const& end) {
  char none = 0;
  while (::read(end.get(), &none, 1) < 0 && errno == EINTR) {
  }
}

}  // namespace

pid_t start_cleanup_watchdog(std::string_view mark, std::string const& folder) {
  auto const exec = ::getpid();
  auto held = make_pipe("for the cleanup watchdog");
  auto const pid = ::fork();
  if (pid == 0) run_watchdog(exec, mark, folder);
  if (pid < 0) return 0;
  held.write = {};
  await_end(held.read);
  ::setpgid(pid, pid);  // whichever of the two is first
  return pid;
}

bool is_cleanup_watchdog(pid_t pid) {
  std::string name;
  std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/comm"), name);
  return name == cleanup_watchdog_name || name == launcher_watchdog_name;
}

}  // namespace earl::exec
