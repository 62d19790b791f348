// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/commands/hints.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>

#include "exec/launcher/quoted.hpp"

namespace earl::exec {

namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

constexpr int exit_failure = 1;  ///< other codes of programs are often results
constexpr int exit_deadlock = 86;
constexpr int exit_timeout = 124;
constexpr std::array crashes{SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS};
constexpr std::size_t longest_command = 200;  ///< that is worth a line

bool is_failure(Plan const& plan, int exit_code) {
  // On several hosts that is EXEC's own code, too, for a host that is lost.
  if (exit_code == exit_failure) return plan.hosts.empty();
  return exit_code == exit_deadlock || exit_code == exit_timeout ||
         std::ranges::any_of(crashes, [&](int signal) { return exit_code == 128 + signal; });
}

/// The user's name for it here; empty: the run was not recorded.
std::string recording_of(Plan const& plan) {
  auto const record = std::ranges::find(plan.tools, "record", &control::ToolUse::name);
  if (record == plan.tools.end()) return {};
  auto const& argument = record->argument;
  auto const folder = argument.substr(std::min(argument.find('/'), argument.size()));
  std::error_code failed;
  auto const from_here = fs::proximate(folder, failed).string();
  return failed || from_here.starts_with("..") ? folder : from_here;
}

bool has_tool(Plan const& plan, std::string_view name) {
  return std::ranges::count(plan.tools, name, &control::ToolUse::name) != 0;
}

std::string record_command_for(Arguments const& arguments) {
  auto const command = "earl record " + quoted(arguments);
  return command.size() > longest_command ? "earl record, with the arguments of this `earl run`"
                                          : command;
}

/// A further remedy: "; ..." or nothing.
std::string_view advice_for(Plan const& plan, int exit_code) {
  if (exit_code == exit_deadlock && !has_tool(plan, "synchronous"))
    return "; if the deadlock is intermittent, add --send synchronous";
  if (exit_code == exit_timeout) return "; `earl ps` shows where a running job waits";
  return {};
}

}  // namespace

void print_hints(std::string_view command, Arguments const& arguments, Plan const& plan,
                 int exit_code) {
  if (exit_code != 0 && !plan.late_options.empty()) {
    fmt::print(stderr,
               "earl: {} came after the program's name, so the program got it: Earl's options "
               "come before, as in `{} {} ...`\n",
               fmt::join(plan.late_options, ", "), command, plan.late_options.front());
    return;  // that may be the cause
  }
  if (!is_failure(plan, exit_code) || plan.gdb || plan.console) return;
  if (auto const recording = recording_of(plan); !recording.empty())
    fmt::print(
        stderr,
        "earl: to replay this run: earl replay {}; to stop a process in gdb at an event, add "
        "--until RANK@EVENT --gdb\n",
        quoted(recording));
  else
    fmt::print(stderr, "earl: to investigate, record the run: {}{}\n",
               record_command_for(arguments), advice_for(plan, exit_code));
}

}  // namespace earl::exec
