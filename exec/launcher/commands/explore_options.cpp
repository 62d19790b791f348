// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/commands/explore_options.hpp"

#include <algorithm>

#include "exec/launcher/commands/command_line.hpp"
#include "exec/launcher/commands/recordings.hpp"
#include "exec/launcher/commands/run.hpp"
#include "exec/launcher/nearest.hpp"
#include "exec/launcher/settings/duration.hpp"
#include "generic/base/number.hpp"

namespace earl::exec {

namespace {

/// The text as typed.
struct RawExplore {
  std::string runs = "1000", seconds = "60", failures = "20", engine, timeout, back_end;
};

void add_options(CommandLine& line, RawExplore& raw, ExplorePlan& plan) {
  auto const group = "The search";
  line.add_value({.names = "--runs",
                  .help = "Run the job at most so often [1000]",
                  .type = "N",
                  .group = group},
                 raw.runs);
  line.add_value({.names = "--seconds",
                  .help = "Start no more runs after this time [60 seconds]",
                  .type = "DURATION",
                  .group = group},
                 raw.seconds);
  line.add_value({.names = "--failures",
                  .help = "Stop after so many different failures [20]",
                  .type = "N",
                  .group = group},
                 raw.failures);
  line.add_value({.names = "--check",
                  .help = "A run has failed, too, when this shell command fails, which reads what "
                          "the run wrote on standard output",
                  .type = "COMMAND",
                  .group = group},
                 plan.check);
  line.add_flag({.names = "--same-output",
                 .help = "A run has failed, too, when it wrote other lines than the first one",
                 .group = group},
                plan.same_output);
  line.add_value({.names = "--outputs",
                  .help = "Write what each new order wrote on standard output to DIR/N-CODE.out; "
                          "CODE is its exit code",
                  .type = "DIR",
                  .group = group},
                 plan.outputs);
  line.add_value({.names = "--engine",
                  .help = "Make the other runs by forks of one process in which all ranks are "
                          "loaded, or start each anew [fork, where it is possible: on fibers]",
                  .type = "fork|rerun",
                  .group = group},
                 raw.engine);
  line.add_flag({.names = "--json", .help = "Print JSON", .group = group}, plan.json);
  add_trust_option(line, plan.recording.trust);
}

std::uint64_t parse_bound(std::string_view option, std::string const& text) {
  auto const bound = number_from<std::uint64_t>(text);
  if (!bound || *bound == 0) throw UsageError("{} {}: a number from 1 is needed", option, text);
  return *bound;
}

Engine parse_engine(std::string const& name) {
  if (name.empty()) return Engine::automatic;
  if (name == "fork") return Engine::fork;
  if (name == "rerun") return Engine::rerun;
  throw UsageError("--engine {}: fork or rerun is needed{}", name, guess(name, {"fork", "rerun"}));
}

double parse_duration(std::string_view option, std::string const& text) {
  auto const seconds = seconds_from(text);
  if (!seconds) throw UsageError("{} {}: {}", option, text, duration_wanted);
  return *seconds;
}

void set_bounds(RawExplore const& raw, ExplorePlan& plan) {
  plan.most_runs = parse_bound("--runs", raw.runs);
  plan.most_failures = parse_bound("--failures", raw.failures);
  plan.most_seconds = parse_duration("--seconds", raw.seconds);
  plan.engine = parse_engine(raw.engine);
  if (!raw.timeout.empty()) plan.run_seconds = parse_duration("--timeout", raw.timeout);
}

/// For a recording; null: the arguments name a program.
std::optional<ExplorePlan> parse_recorded(std::vector<std::string> const& arguments) {
  if (!end_with_recording(arguments)) return std::nullopt;
  CommandLine line("earl explore", "");
  RawExplore raw;
  ExplorePlan plan;
  add_options(line, raw, plan);
  line.add_value({.names = "--on"}, raw.back_end);
  line.add_value({.names = "--timeout"}, raw.timeout);
  line.add_operand({.names = "DIR"}, plan.recording.folder);
  line.parse_all(arguments);
  set_bounds(raw, plan);
  std::vector<std::string> options;
  if (!raw.back_end.empty()) options = {"--on", raw.back_end};
  plan.replay = parse_replay(plan.recording.replay_arguments(options), configured());
  if (!plan.replay.full) refuse_incomplete(plan.recording.folder, "a search");
  plan.replay_known = true;
  return plan;
}

}  // namespace

ExplorePlan parse_explore(std::vector<std::string> const& arguments, Settings settings) {
  if (auto plan = parse_recorded(arguments)) return std::move(*plan);
  RawExplore raw;
  ExplorePlan plan;
  plan.job = parse_job({.command = "earl explore",
                        .summary = "Run a job in one order of its messages after the other, to "
                                   "find one in which it fails. With a recording's DIR instead of "
                                   "a program: from the recorded run.\n",
                        .record = true,
                        .own = [&](CommandLine& line) { add_options(line, raw, plan); },
                        .check_own = [&] { plan.recording.check_no_trust(); }},
                       arguments, std::move(settings));
  set_bounds(raw, plan);
  if (plan.job->timeout) plan.run_seconds = plan.job->timeout->count();
  auto const recorder = std::ranges::find(plan.job->tools, "record", &control::ToolUse::name);
  plan.recording = {.folder = recorder->argument, .trust = true};
  if (plan.job->dry_run) throw UsageError("--dry-run: `earl run --dry-run` shows what would run");
  return plan;
}

}  // namespace earl::exec
