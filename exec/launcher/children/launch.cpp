// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/children/launch.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "exec/launcher/children/addresses.hpp"
#include "exec/launcher/children/mark.hpp"
#include "generic/base/error.hpp"
#include "generic/base/words.hpp"
#include "generic/system/child.hpp"

namespace earl::exec {

namespace {

/// High enough to be out of a shell script's way, low enough for valgrind's soft limit.
constexpr int least_control_number = 60;

struct Prepared {
  Launch const& what;
  Inherited const& inherited;
  std::string const& path;
  char* const* arguments;
  char* const* environment;
  pid_t exec;
};

bool give_descriptors(Launch const& what) {
  return ::dup2(what.in, STDIN_FILENO) >= 0 && ::dup2(what.out, STDOUT_FILENO) >= 0 &&
         ::dup2(what.error, STDERR_FILENO) >= 0 && ::dup2(what.control, what.control_number) >= 0;
}

/// Without it, as below a lower hard limit, the mark in the environment must do.
void set_mark(rlim_t mark) {
  rlimit limit{};
  ::getrlimit(marking_limit, &limit);
  limit.rlim_cur = mark;
  ::setrlimit(marking_limit, &limit);
}

/// The child's part, in EXEC's own memory (vfork): system calls and nothing else.
int become(Prepared const& child) {
  end_with_parent(child.exec);
  if (child.what.group != own_group && ::setpgid(0, child.what.group) != 0) return errno;
  if (!child.what.folder.empty() && ::chdir(child.what.folder.c_str()) != 0) return errno;
  if (!give_descriptors(child.what)) return errno;
  auto const& processors = child.what.processors;
  if (processors && ::sched_setaffinity(0, sizeof *processors, &*processors) != 0) return errno;
  ::setrlimit(RLIMIT_NOFILE, &child.inherited.files);
  set_mark(child.inherited.mark);
  if (child.what.fixed_addresses) fix_addresses();
  if (!child.inherited.sigpipe_ignored) ::signal(SIGPIPE, SIG_DFL);
  ::sigprocmask(SIG_SETMASK, &child.inherited.mask, nullptr);
  ::execve(child.path.c_str(), child.arguments, child.environment);
  return errno;
}

/// vfork, because fork would copy EXEC's page tables for each of a thousand children, and because
/// the parent gets the error of a failed exec by a plain variable.
[[gnu::noinline]] Launched start(Prepared const& child) {
  int volatile error = 0;
  pid_t const pid = ::vfork();
  if (pid == 0) {
    error = become(child);
    ::_exit(127);
  }
  if (pid < 0) return {.pid = 0, .error = errno};
  if (error != 0) ::waitpid(pid, nullptr, 0);
  // A child that was killed before it came to that: the group must be there for the others.
  if (error == 0 && child.what.group != own_group) ::setpgid(pid, child.what.group);
  return {.pid = pid, .error = error};
}

}  // namespace

Descriptor keep_control_number(Descriptor const& any) {
  Descriptor kept(::fcntl(any.get(), F_DUPFD_CLOEXEC, least_control_number));
  if (!kept) throw Error("no descriptor for control channels: {}", system_message(errno));
  return kept;
}

Launched launch(Launch const& what, Inherited const& inherited) {
  auto const arguments = pointers_to(what.arguments);
  auto const environment = pointers_to(what.environment);
  // The path lies above the stack, and a replay has the whole one.
  auto const path =
      what.fixed_addresses ? std::filesystem::absolute(what.path).string() : what.path;
  return start({.what = what,
                .inherited = inherited,
                .path = path,
                .arguments = arguments.data(),
                .environment = environment.data(),
                .exec = ::getpid()});
}

std::optional<int> wait_status_of(pid_t pid) {
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
      info.si_pid == 0)
    return std::nullopt;
  if (info.si_code == CLD_EXITED) return (info.si_status & 0xff) << 8;
  return info.si_status | (info.si_code == CLD_DUMPED ? 0x80 : 0);
}

std::vector<pid_t> own_children() {
  std::vector<pid_t> pids;
  std::ifstream list("/proc/thread-self/children");
  for (pid_t pid = 0; list >> pid;) pids.push_back(pid);
  return pids;
}

}  // namespace earl::exec
