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
  /// Gets the arguments after the name; gives the exit code. Throws Error.
  int (*run)(std::vector<std::string> const& arguments);
};

int run_command(std::vector<std::string> const& arguments);
int exec_command(std::vector<std::string> const& arguments);
int record_command(std::vector<std::string> const& arguments);
int replay_command(std::vector<std::string> const& arguments);
int show_command(std::vector<std::string> const& arguments);
/// Lists recordings.
int ls_command(std::vector<std::string> const& arguments);
/// Lists running jobs.
int ps_command(std::vector<std::string> const& arguments);
int profile_command(std::vector<std::string> const& arguments);
/// Says where two recordings part.
int diff_command(std::vector<std::string> const& arguments);
/// Runs a recorded job with the other outcome of one race.
int flip_command(std::vector<std::string> const& arguments);
/// Looks for an order in which a job fails.
int explore_command(std::vector<std::string> const& arguments);
/// Writes a recorded run in a format of other programs.
int export_command(std::vector<std::string> const& arguments);
/// Reports all that one run shows to be wrong.
int check_command(std::vector<std::string> const& arguments);
int races_command(std::vector<std::string> const& arguments);
int view_command(std::vector<std::string> const& arguments);
/// Walks through a recorded run.
int debug_command(std::vector<std::string> const& arguments);
int config_command(std::vector<std::string> const& arguments);
int info_command(std::vector<std::string> const& arguments);
int doctor_command(std::vector<std::string> const& arguments);
int compat_command(std::vector<std::string> const& arguments);
/// The commands among them that are Intel's (frontends/nx/commands).
std::span<Command const> cube_commands();
int agent_command(std::vector<std::string> const& arguments);
int serve_command(std::vector<std::string> const& arguments);
int shared_process_command(std::vector<std::string> const& arguments);
int crash_report_command(std::vector<std::string> const& arguments);
int keep_command(std::vector<std::string> const& arguments);
int session_command(std::vector<std::string> const& arguments);
/// Talks to a job that was started with --console, with the commands of PVM's console
/// (frontends/pvm3/commands).
int console_command(std::vector<std::string> const& arguments);
/// Like console_command(), for the virtual machine.
int pvm_command(std::vector<std::string> const& arguments);
/// Says which debuggers there are, and how one is added.
int tools_command(std::vector<std::string> const& arguments);
int version_command(std::vector<std::string> const& arguments);

std::span<Command const> commands();

}  // namespace earl::exec
