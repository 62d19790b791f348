// SPDX-License-Identifier: BSD-3-Clause
/// The subcommands of `earl`. One more is a function and a row.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace earl {}

namespace earl::exec {

struct Command {
  std::string_view name;
  std::string_view
      summary;  ///< empty: `earl -h` does not list it, as it is internal or another system's
  /// Gets the words after the name; gives the exit code. Throws Error.
  int (*run)(std::vector<std::string> const& words);
};

int run_command(std::vector<std::string> const& words);
int exec_command(std::vector<std::string> const& words);
int record_command(std::vector<std::string> const& words);
int replay_command(std::vector<std::string> const& words);
int show_command(std::vector<std::string> const& words);
/// Lists recordings.
int ls_command(std::vector<std::string> const& words);
/// Lists running jobs.
int ps_command(std::vector<std::string> const& words);
int profile_command(std::vector<std::string> const& words);
/// Says where two recordings part.
int diff_command(std::vector<std::string> const& words);
/// Runs a recorded job with one race decided otherwise.
int flip_command(std::vector<std::string> const& words);
/// Looks for an order in which a job fails.
int explore_command(std::vector<std::string> const& words);
/// Writes a recorded run in a format of other programs.
int export_command(std::vector<std::string> const& words);
/// Reports all that one run shows to be wrong.
int check_command(std::vector<std::string> const& words);
int races_command(std::vector<std::string> const& words);
int view_command(std::vector<std::string> const& words);
/// Walks through a recorded run.
int debug_command(std::vector<std::string> const& words);
int config_command(std::vector<std::string> const& words);
int info_command(std::vector<std::string> const& words);
int doctor_command(std::vector<std::string> const& words);
int compat_command(std::vector<std::string> const& words);
/// Those of them that are Intel's (frontends/nx/commands).
std::span<Command const> cube_commands();
int agent_command(std::vector<std::string> const& words);
int serve_command(std::vector<std::string> const& words);
int shared_process_command(std::vector<std::string> const& words);
int crash_report_command(std::vector<std::string> const& words);
int keep_command(std::vector<std::string> const& words);
int session_command(std::vector<std::string> const& words);
/// Talks to a job that was started with --console, in the words of PVM's console
/// (frontends/pvm3/commands).
int console_command(std::vector<std::string> const& words);
/// As console_command(), for the virtual machine.
int pvm_command(std::vector<std::string> const& words);
/// Says which debuggers there are, and how one is added.
int tools_command(std::vector<std::string> const& words);
int version_command(std::vector<std::string> const& words);

std::span<Command const> commands();

}  // namespace earl::exec
