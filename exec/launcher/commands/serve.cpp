// SPDX-License-Identifier: BSD-3-Clause
/// EXEC for jobs that `earl run` has not started: a bare host program, a session server's consoles.
/// These commands are not for users.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/options.hpp"
#include "exec/launcher/job/job.hpp"
#include "exec/launcher/settings/settings.hpp"
#include "generic/base/number.hpp"

namespace earl::exec {

namespace {

int descriptor_in(std::string const& word) {
  auto const value = number_from<int>(word);
  if (!value || *value < 0) throw UsageError("internal command: {} is no number", word);
  return *value;
}

Descriptor inherited(std::string const& word) {
  int const fd = descriptor_in(word);
  if (fd <= STDERR_FILENO || !is_channel(fd))
    throw UsageError("internal command: descriptor {} is no socket of EXEC's", fd);
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  return Descriptor(fd);
}

void expect_arguments(std::vector<std::string> const& arguments, std::size_t count) {
  if (arguments.size() != count) throw UsageError("internal command");
}

/// A session server holds no terminal, pipe or directory of its starter. Its output goes to
/// `output`.
void leave_terminal(Descriptor const& output) {
  ::setsid();
  Descriptor const nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  ::dup2(nothing.get(), STDIN_FILENO);
  for (int fd : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(output.get(), fd);
  if (::chdir("/") != 0) return;
}

/// The name that PVM's daemon gives it, which keeps one, too. Throws Error.
Descriptor open_log() {
  auto const setting = [](char const* name) {
    char const* const value = std::getenv(name);
    return std::string{value ? value : ""};
  };
  auto const folder = setting("PVM_TMP");
  auto const id = setting("PVM_VMID");
  auto const path = fmt::format("{}/pvml.{}{}{}", folder.empty() ? "/tmp" : folder, ::geteuid(),
                                id.empty() ? "" : ".", id);
  // Others may write into that directory: the file there must be this user's own.
  constexpr int how = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  Descriptor log(::open(path.c_str(), how, 0600));
  struct stat facts {};
  if (!log || ::fstat(log.get(), &facts) != 0)
    throw Error("the virtual machine has no log: {}: {}", path, system_message(errno));
  if (!S_ISREG(facts.st_mode) || facts.st_uid != ::geteuid())
    throw Error(
        "the virtual machine has no log: {} is another user's, or no file; remove it, or "
        "set PVM_TMP",
        path);
  if (::ftruncate(log.get(), 0) != 0)
    throw Error("the virtual machine has no log: {}: {}", path, system_message(errno));
  return log;
}

/// No command line has named settings; those of the job as a whole can come from the environment.
Plan plan_of_environment() {
  Settings settings;
  for (auto const* key : {"deadlock", "message-memory"})
    put_environment(settings, *find_setting(key));
  Plan plan;
  settings.apply_to(plan);
  return plan;
}

}  // namespace

int serve_command(std::vector<std::string> const& arguments) {
  expect_arguments(arguments, 2);
  auto channel = inherited(arguments[0]);
  auto const layout = find_layout();
  Plan const plan = plan_of_environment();
  Job job(plan, {}, layout);
  job.admit(std::move(channel), descriptor_in(arguments[1]));
  return job.run();
}

int keep_command(std::vector<std::string> const& arguments) {
  expect_arguments(arguments, 4);
  auto listener = inherited(arguments[0]);
  auto const shell = inherited(arguments[1]);
  leave_terminal(Descriptor(::open("/dev/null", O_RDWR | O_CLOEXEC)));
  auto const layout = find_layout();
  Plan const plan = plan_of_environment();
  Job job(plan, {}, layout);
  job.keep(std::move(listener), arguments[2],
           static_cast<std::uint32_t>(descriptor_in(arguments[3])));
  return job.run();
}

/// LISTENER, and for its first member CHANNEL PID.
int session_command(std::vector<std::string> const& arguments) {
  if (arguments.size() != 3) expect_arguments(arguments, 1);
  auto listener = inherited(arguments[0]);
  auto channel = arguments.size() == 3 ? inherited(arguments[1]) : Descriptor{};
  auto const layout = find_layout();
  auto const log = open_log();
  Plan const plan = plan_of_environment();
  // Failures until here are reported to the user who starts it.
  leave_terminal(log);
  Job job(plan, {}, layout);
  job.hold_session(std::move(listener));
  if (channel) job.admit(std::move(channel), descriptor_in(arguments[2]));
  return job.run();
}

}  // namespace earl::exec
