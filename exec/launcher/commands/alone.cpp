// SPDX-License-Identifier: BSD-3-Clause
/// `earl replay --alone`: one process of a recorded run without the others.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "debug/contents/alone.hpp"
#include "debug/replay/replay.hpp"
#include "exec/launcher/children/addresses.hpp"
#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/run.hpp"
#include "exec/launcher/commands/trial_run.hpp"
#include "exec/runtime/boot.hpp"
#include "exec/runtime/control.hpp"
#include "exec/runtime/job_mark.hpp"
#include "generic/base/error.hpp"
#include "generic/base/words.hpp"
#include "generic/system/installed_files.hpp"

namespace earl::exec {

namespace {

using Arguments = std::vector<std::string>;

/// Makes what the process needs unless it is there: a replay of all processes.
void make_contents(std::string const& folder, Rank rank) {
  auto const incomplete = folder + "/contents-incomplete";
  if (contents::has_contents(folder, rank) && !std::filesystem::exists(incomplete)) return;
  std::filesystem::remove(incomplete);
  auto const ended = run_in_child(
      [&] {
        return replay_command({"--trust", "--on", "shm", "--tool", "contents=" + folder, folder});
      },
      false);
  if (!contents::has_contents(folder, rank))
    throw Error("--alone {}: a replay has not run such a process{}", number(rank),
                ended.said.empty() ? "" : ": " + ended.said);
  if (!has_diverged(ended, folder)) return;
  fmt::print(stderr, "earl: {}; the process is known so far\n", ended.said);
  // The next command makes them again.
  std::ofstream{incomplete};
}

/// The variables of the process, without those by which EXEC knew it.
Arguments environment_of(contents::Program const& program, std::string const& which) {
  Arguments environment;
  const std::array names{std::string{control::variable}, std::string{control::rank_variable},
                         std::string{mark_variable}};
  for (auto const& assignment : program.environment) {
    auto const name = assignment.substr(0, assignment.find('='));
    if (std::ranges::count(names, name) == 0) environment.push_back(assignment);
  }
  environment.push_back(fmt::format("{}={}", boot::alone_variable, which));
  return environment;
}

/// Standard input is the recorded one for the process that had it.
Descriptor input_of(ReplayPlan const& replay) {
  return replay.plan.reader == replay.alone->rank
             ? recorded_input(replay.recording)
             : Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

void give_input(ReplayPlan const& replay) {
  if (!replay.plan.own_input && !replay.alone->gdb) ::dup2(input_of(replay).get(), STDIN_FILENO);
}

/// gdb's commands to go to other messages (gdb_commands.py).
std::string gdb_commands() {
  auto script = find_part("exec", "gdb_commands.py");
  if (script.empty())
    throw Error("--gdb: gdb_commands.py is missing: this installation of Earl is incomplete");
  return script;
}

/// The command that runs the program.
Arguments command_of(AlonePlan const& alone, contents::Program const& program) {
  Arguments command = alone.before;
  if (alone.gdb && alone.commands < 0) command = {"gdb", "-q", "-x", gdb_commands(), "--args"};
  if (alone.commands >= 0)
    command = {"gdb",   "-q",           "-nx", "-batch",
               "-x",    gdb_commands(), "-ex", fmt::format("earl-serve {}", alone.commands),
               "--args"};
  command.push_back(program.path);
  if (!program.arguments.empty())
    command.insert(command.end(), program.arguments.begin() + 1, program.arguments.end());
  return command;
}

}  // namespace

int replay_alone(ReplayPlan const& replay) {
  auto const& alone = *replay.alone;
  make_contents(replay.recording, alone.rank);
  auto const program = contents::program_of(replay.recording, alone.rank);
  auto which = std::to_string(number(alone.rank));
  if (!alone.event.empty()) which += (alone.gdb ? "!" : "@") + alone.event;
  auto environment = environment_of(program, which + ":" + replay.recording);
  if (alone.gdb) {
    environment.push_back("EARL_GDB=" + std::filesystem::read_symlink("/proc/self/exe").string());
    environment.push_back(fmt::format("EARL_GDB_INPUT={}", ::dup(input_of(replay).get())));
  }
  auto const command = command_of(alone, program);
  give_input(replay);
  if (::chdir(program.folder.c_str()) != 0)
    throw Error("the process's directory {}: {}", program.folder, system_message(errno));
  fix_addresses();
  std::fflush(nullptr);
  ::execvpe(command.front().c_str(), pointers_to(command).data(), pointers_to(environment).data());
  throw Error("cannot run {}: {}", command.front(), system_message(errno));
}

}  // namespace earl::exec
