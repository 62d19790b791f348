// SPDX-License-Identifier: BSD-3-Clause
#include "backends/hosted/watchdog.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "backends/hosted/variables.hpp"
#include "generic/base/error.hpp"
#include "generic/system/descriptor.hpp"
#include "generic/system/installed_files.hpp"

namespace earl::hosted_backend {

namespace {

struct StandardFiles {  ///< -1: none
  int input = -1;
  int errors = -1;
};

/// Nothing else of EXEC's: its standard output must end when EXEC does.
void close_files(StandardFiles const& files) {
  Descriptor const null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  ::dup2(files.input < 0 ? null.get() : files.input, STDIN_FILENO);
  ::dup2(null.get(), STDOUT_FILENO);
  ::dup2(files.errors < 0 ? null.get() : files.errors, STDERR_FILENO);
  ::syscall(SYS_close_range, static_cast<unsigned>(STDERR_FILENO + 1), ~0U, 0U);
}

[[noreturn]] void become_launcher(WatchedLauncher const& watched, pid_t watchdog) {
  prepare_for_command(watchdog);
  if (!watched.hidden.empty()) hide_variables(watched.hidden);
  for (auto const& setting : watched.settings) {
    auto const name = setting.substr(0, setting.find('='));
    ::setenv(name.c_str(), setting.c_str() + name.size() + 1, 1);
  }
  ::setenv("TMPDIR", watched.folder.c_str(), 1);
  std::vector<char*> arguments;
  for (auto const& word : watched.command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execv(arguments.front(), arguments.data());
  ::dprintf(STDERR_FILENO, "%s: %s\n", arguments.front(), std::strerror(errno));
  ::_exit(127);
}

/// The launcher's surviving children may still write there, until they end, too.
void remove_folder(std::string const& folder) {
  constexpr int tries = 200;
  std::error_code failed;
  for (int n = 0; n < tries; ++n) {
    std::filesystem::remove_all(folder, failed);
    if (!std::filesystem::exists(folder, failed)) return;
    ::usleep(10'000);
  }
}

/// A watchdog waits for a descriptor that EXEC's end closes: no signal is needed.
void detach_watchdog(StandardFiles const& files) {
  ::prctl(PR_SET_NAME, "earl-launcher");
  ::setsid();
  for (int const number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) ::signal(number, SIG_IGN);
  ::signal(SIGCHLD, SIG_DFL);
  close_files(files);
}

/// The launcher ends when its placeholders do, and these end with EXEC.
[[noreturn]] void run_watchdog(WatchedLauncher const& watched) {
  detach_watchdog({.errors = watched.errors});
  pid_t const self = ::getpid();
  pid_t const launcher = ::fork();
  if (launcher == 0) become_launcher(watched, self);
  while (launcher > 0 && ::waitpid(launcher, nullptr, 0) < 0 && errno == EINTR) {
  }
  remove_folder(watched.folder);
  ::_exit(0);
}

[[noreturn]] void keep_folder(std::string const& folder, int pipe) {
  detach_watchdog({.input = pipe});
  char nothing = 0;
  while (::read(STDIN_FILENO, &nothing, 1) < 0 && errno == EINTR) {
  }
  remove_folder(folder);
  ::_exit(0);
}

}  // namespace

pid_t start_watchdog(WatchedLauncher const& watched) {
  pid_t const watchdog = ::fork();
  if (watchdog == 0) run_watchdog(watched);
  if (watchdog < 0) throw Error("no process for the launcher: {}", system_message(errno));
  return watchdog;
}

KeptFolder::KeptFolder(std::string path) : path_(std::move(path)) {
  int ends[2] = {-1, -1};
  auto const made = ::pipe2(ends, O_CLOEXEC) == 0;
  Descriptor const watched(ends[0]);
  watchdog_pipe_ = Descriptor(ends[1]);
  watchdog_ = made ? ::fork() : -1;
  if (watchdog_ == 0) keep_folder(path_, watched.get());
  if (watchdog_ > 0) return;
  auto const number = errno;
  remove_folder(path_);
  throw Error("no process to keep the directory {}: {}", path_, system_message(number));
}

KeptFolder::~KeptFolder() {
  watchdog_pipe_.close();
  ::waitpid(watchdog_, nullptr, 0);
  // The watchdog has done it, unless it was killed.
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace earl::hosted_backend
