// SPDX-License-Identifier: BSD-3-Clause
/// The options of a whole job, for the commands that run one.
#pragma once

#include <string>
#include <vector>

#include "exec/launcher/commands/command_line.hpp"
#include "exec/launcher/plan.hpp"
#include "exec/launcher/settings/settings.hpp"

namespace earl::exec {

/// The command line's settings for the whole job.
struct RawJob {
  std::vector<std::string> values = std::vector<std::string>(setting_rows().size());
  std::vector<std::string> tools;
  std::vector<std::string> breakpoints;
  std::string folder;
  bool dry_run = false;
  bool gdb = false;
  bool console = false;
  bool force = false;
};

void add_settings(CommandLine& line, RawJob& raw);
/// The settings, debuggers and flags.
void add_job_options(CommandLine& line, RawJob& raw);
/// The values that the command line gives, over those of `settings`. Throws UsageError.
void put_command_line(Settings& settings, CommandLine const& line, RawJob const& raw);

/// NAME=VALUE; a name alone brings the value it has here. Throws UsageError.
std::string parse_assignment(std::string const& text);
/// A debugger by its name, or a file. Throws UsageError.
void add_tool(Plan& plan, std::string const& text);
/// Applies the settings and the command line to the job. Throws UsageError.
void apply_job(Plan& plan, RawJob const& raw, Settings const& settings);
/// Whether the back end takes so many processes. Throws UsageError.
void check_sizes(Plan const& plan);

}  // namespace earl::exec
