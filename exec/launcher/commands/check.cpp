// SPDX-License-Identifier: BSD-3-Clause
/// `earl check`: one run, and all that it shows to be wrong.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

#include "debug/analyse/check.hpp"
#include "exec/launcher/commands/command_line.hpp"
#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/events_of.hpp"
#include "exec/launcher/commands/options.hpp"
#include "exec/launcher/commands/output_aside.hpp"
#include "exec/launcher/commands/recordings.hpp"
#include "exec/launcher/commands/run.hpp"
#include "exec/launcher/nearest.hpp"
#include "generic/base/error.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::exec {

namespace {

using Arguments = std::vector<std::string>;

constexpr int found_something = 1;

struct CheckPlan {
  std::optional<Plan> job{};  ///< null: the run has been recorded
  RecordingChoice recording{};
  analyse::CheckOptions options{};
};

void add_options(CommandLine& line, Arguments& ignored, CheckPlan& plan) {
  auto const group = "The report";
  line.add_values(
      {.names = "--ignore",
       .help = "Leave these out: races, hazards, collectives (in which members made different "
               "calls), types (messages received as others than they were sent as), buffers (of "
               "sends, altered before these were complete), unreceived "
               "(messages that were never "
               "received), receives (that never got a message) or unreleased (objects that "
               "were never freed); may be repeated",
       .type = "WHAT",
       .group = group},
      ignored);
  line.add_flag({.names = "--json",
                 .help = "Print JSON; what programs write goes to standard error",
                 .group = group},
                plan.options.json);
}

void set_ignored(Arguments const& ignored, analyse::CheckOptions& options) {
  struct Row {
    std::string_view name;
    bool* wanted;
  };
  const std::array rows{Row{"races", &options.races},
                        Row{"hazards", &options.hazards},
                        Row{"collectives", &options.collectives},
                        Row{"types", &options.types},
                        Row{"buffers", &options.buffers},
                        Row{"unreceived", &options.unreceived},
                        Row{"receives", &options.receives},
                        Row{"unreleased", &options.unreleased}};
  Arguments names;
  for (auto const& row : rows) names.emplace_back(row.name);
  for (auto const& name : ignored) {
    auto const row = std::ranges::find(rows, name, &Row::name);
    if (row == rows.end())
      throw UsageError(
          "--ignore {}: races, hazards, collectives, types, buffers, unreceived, receives or "
          "unreleased is needed{}",
          name, guess(name, names));
    *row->wanted = false;
  }
}

/// A folder of events, or no program at all: the run is over.
bool names_recording(Arguments const& arguments) {
  if (arguments.empty() || end_with_recording(arguments)) return true;
  return std::ranges::all_of(arguments, [](std::string const& word) {
    return word == "--json" || word == "--trust" || word.starts_with("--ignore=");
  });
}

CheckPlan parse_check(Arguments const& arguments) {
  CheckPlan plan;
  Arguments ignored;
  if (names_recording(arguments)) {
    CommandLine line("earl check", "");
    add_options(line, ignored, plan);
    plan.recording =
        parse_recording(line, "earl check", arguments, [&] { set_ignored(ignored, plan.options); });
  } else {
    plan.job = parse_job({.command = "earl check",
                          .summary = "Run a job, record it, and report all that the run shows to "
                                     "be wrong: races, deadlocks, collectives that do not "
                                     "match, messages received as other types than they were "
                                     "sent as, buffers altered too early, messages that were never "
                                     "received, reliance on room "
                                     "for messages, objects that "
                                     "were never freed. With a "
                                     "recording's DIR instead of a program: of that run.\n",
                          .record = true,
                          .own =
                              [&](CommandLine& own) {
                                add_options(own, ignored, plan);
                                add_trust_option(own, plan.recording.trust);
                              },
                          .check_own =
                              [&] {
                                set_ignored(ignored, plan.options);
                                plan.recording.check_no_trust();
                              },
                          .batch = true},
                         arguments, configured());
    if (plan.job->dry_run) throw UsageError("--dry-run: `earl run --dry-run` shows what would run");
    auto const recorder = std::ranges::find(plan.job->tools, "record", &control::ToolUse::name);
    plan.recording = {.folder = recorder->argument, .trust = true};
  }
  return plan;
}

/// The run's recording gets its events, too.
void run_job(Plan job, std::string const& recording, bool aside) {
  std::optional<OutputAside> away;
  if (aside) away.emplace();
  job.tools.push_back({.name = "events", .argument = recording});
  run_plan(std::move(job));
}

}  // namespace

int check_command(Arguments const& arguments) {
  auto plan = parse_check(arguments);
  plan.options.reported = plan.job && same_file(STDOUT_FILENO, STDERR_FILENO);
  if (plan.job) run_job(*plan.job, plan.recording.folder, plan.options.json);
  auto const run = events_of(plan.recording);
  // A replay that was cut short could not yet receive or free everything: no findings.
  if (run.exit_code != 0)
    plan.options.unreceived = plan.options.receives = plan.options.unreleased = false;
  auto const found = analyse::print_check(run.folder, plan.options);
  if (run.exit_code != 0) return run.exit_code;
  return found == 0 ? 0 : found_something;
}

}  // namespace earl::exec
