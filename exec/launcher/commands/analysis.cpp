// SPDX-License-Identifier: BSD-3-Clause
/// The commands that analyse a recording, and how they come to its events.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "debug/analyse/diff_report.hpp"
#include "debug/analyse/export.hpp"
#include "debug/analyse/profile.hpp"
#include "debug/analyse/races.hpp"
#include "debug/analyse/steer.hpp"
#include "debug/analyse/view.hpp"
#include "debug/events/reader.hpp"
#include "debug/trace/meta.hpp"
#include "debug/trace/show.hpp"
#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/events_of.hpp"
#include "exec/launcher/commands/options.hpp"
#include "exec/launcher/commands/recordings.hpp"
#include "exec/launcher/commands/trial_run.hpp"
#include "generic/base/error.hpp"

namespace earl::exec {

namespace {

constexpr int differ = 3;

/// A replay of a run that succeeded must succeed.
bool has_failed(TrialRun const& replay, std::string const& recording) {
  auto const recorded = trace::read_end(recording);
  return replay.exit_code != 0 && recorded && recorded->exit_code == 0;
}

TrialRun replay_with_events(RecordingChoice const& recording, std::string const& folder,
                            std::string const& contents) {
  return run_in_child(
      [&] {
        return replay_command(
            recording.replay_arguments({"--tool", "events=" + folder, "--contents", contents}));
      },
      false);
}

/// Gives Earl's sentence about it when the replay did not come to the end of the recorded run.
std::string make_events(RecordingChoice const& recording, std::string const& folder) {
  recording.refuse_untrusted(trace::read_command(folder));
  auto const failed = [&](TrialRun const& replay) {
    return has_diverged(replay, folder) || has_failed(replay, folder);
  };
  auto const ended = replay_with_events(recording, folder, "check");
  if (!events::has_events(folder))
    throw Error("{} cannot be replayed: {}; `earl replay {}` shows more", folder,
                ended.said.empty() ? "the replay was killed" : ended.said, folder);
  if (!failed(ended)) return {};
  // Bytes that a program has never set may differ, and all messages come as they came.
  if (has_diverged(ended, folder) && !failed(replay_with_events(recording, folder, "ignore"))) {
    fmt::print(stderr, "earl: {}; the messages are the same but for their bytes\n", ended.said);
    return {};
  }
  events::mark_incomplete(folder);
  return ended.said.empty() ? fmt::format("the replay ended with code {}", ended.exit_code)
                            : ended.said;
}

}  // namespace

RunEvents events_of(RecordingChoice const& recording) {
  RunEvents run{.folder = std::filesystem::absolute(recording.folder).lexically_normal().string()};
  if (events::has_events(run.folder)) return run;
  auto const divergence = make_events(recording, run.folder);
  if (divergence.empty()) return run;
  fmt::print(stderr, "earl: {}; only what comes before that is analysed\n", divergence);
  run.exit_code = diverged;
  return run;
}

std::string whole_events_of(RecordingChoice const& recording) {
  auto run = events_of(recording);
  if (run.exit_code != 0)
    throw Error(
        "the replay of {} diverged or failed: its later events are not known; restore what has "
        "changed since it was recorded",
        run.folder);
  return std::move(run.folder);
}

int profile_command(std::vector<std::string> const& arguments) {
  auto plan = parse_profile(arguments);
  auto const run = events_of(plan.recording);
  plan.options.timed = events::has_times(run.folder);
  analyse::print_profile(run.folder, plan.options);
  return run.exit_code;
}

int flip_command(std::vector<std::string> const& arguments) {
  auto const plan = parse_flip(arguments);
  auto const path = analyse::path_to_flip(whole_events_of(plan.recording), plan.race);
  auto const again = plan.recording.replay_arguments({"--path", path});
  fmt::print(stderr, "earl: running: earl replay {}\n", fmt::join(again, " "));
  return replay_command(again);
}

int diff_command(std::vector<std::string> const& arguments) {
  auto const plan = parse_diff(arguments);
  int incomplete = 0;
  for (auto const& recording : {plan.a, plan.b})
    incomplete = std::max(incomplete, events_of(recording).exit_code);
  auto const alike = analyse::print_diff(plan.a.folder, plan.b.folder, plan.options);
  if (incomplete != 0) return incomplete;
  return alike ? 0 : differ;
}

int view_command(std::vector<std::string> const& arguments) {
  auto const plan = parse_view(arguments);
  auto run = events_of(plan.recording);
  bool const two = !plan.other.folder.empty();
  auto const file =
      plan.file.empty() ? run.folder + (two ? "/view-diff.html" : "/view.html") : plan.file;
  if (two) {
    auto const other = events_of(plan.other);
    run.exit_code = std::max(run.exit_code, other.exit_code);
    analyse::write_view(run.folder, other.folder, file);
  } else {
    analyse::write_view(run.folder, file);
  }
  if (file != "-") fmt::print("{}\n", file);
  return run.exit_code;
}

int export_command(std::vector<std::string> const& arguments) {
  auto const plan = parse_export(arguments);
  auto const run = events_of(plan.recording);
  auto const file = plan.file.empty()
                        ? fmt::format("{}/export.{}", run.folder, analyse::ending_of(plan.format))
                        : plan.file;
  if (plan.file.empty()) std::filesystem::remove_all(file);
  analyse::export_run(run.folder, file, plan.format, events::has_times(run.folder));
  if (file != "-") fmt::print("{}\n", file);
  return run.exit_code;
}

int races_command(std::vector<std::string> const& arguments) {
  auto const plan = parse_races(arguments);
  auto const run = events_of(plan.recording);
  analyse::print_races(run.folder, plan.options);
  return run.exit_code;
}

}  // namespace earl::exec
