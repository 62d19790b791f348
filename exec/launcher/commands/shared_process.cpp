// SPDX-License-Identifier: BSD-3-Clause
/// The process that all ranks of a job live in. EXEC starts it; not a command for users.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include "backends/registry.hpp"
#include "exec/launcher/children/addresses.hpp"
#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/frames.hpp"
#include "exec/launcher/plan.hpp"
#include "exec/runtime/shared_process.hpp"

namespace earl::exec {

namespace {

/// The one that a variable names; none: there is no such.
Descriptor inherited_line(char const* variable) {
  char const* const text = std::getenv(variable);
  const std::string_view word = text ? text : "";
  int fd = -1;
  auto const parsed = std::from_chars(word.data(), word.data() + word.size(), fd);
  ::unsetenv(variable);
  if (word.empty() || parsed.ec != std::errc{} || !is_channel(fd)) return {};
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  return Descriptor(fd);
}

/// Starts this command again at addresses that are the same in every run: programs compare and
/// hash pointers. A system that does not allow it has its reasons.
void apply_addresses(std::string const& back_end) {
  int const now = ::personality(0xffff'ffff);
  if (now == -1 || (now & ADDR_NO_RANDOMIZE) != 0 || !fix_addresses()) return;
  ::execl("/proc/self/exe", "earl", "shared-process", back_end.c_str(),
          static_cast<char*>(nullptr));
}

/// Each rank takes some.
void raise_own_file_limit() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
}

}  // namespace

int shared_process_command(std::vector<std::string> const& arguments) {
  auto const* back_end = arguments.size() == 1 ? find_back_end(arguments[0]) : nullptr;
  if (!back_end || !back_end->shared_process) throw UsageError("internal command: EXEC starts it");
  apply_addresses(arguments[0]);
  raise_own_file_limit();
  auto line = inherited_line(control::variable);
  if (!line) throw UsageError("internal command: EXEC starts it");
  auto branches = inherited_line(boot::branches_variable);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    boot::SharedProcessLine shared_process(std::move(line), *back_end, std::move(branches));
    show_frames(&shared_process.shared_process());
    shared_process.run();
  } catch (Error const& error) {
    fmt::print(stderr, "earl: {}\n", error.what());
    ::_exit(1);
  }
  // Ranks that have not ended have no say any more.
  ::_exit(0);
}

}  // namespace earl::exec
