// SPDX-License-Identifier: BSD-3-Clause
/// The commands that analyse a recording, and how they come to its events.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>

#include "debug/analyse/diff_report.hpp"
#include "debug/analyse/export.hpp"
#include "debug/analyse/profile.hpp"
#include "debug/analyse/races.hpp"
#include "debug/analyse/steer.hpp"
#include "debug/analyse/view.hpp"
#include "debug/events/reader.hpp"
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

void make_events(RecordingChoice const& recording, std::string const& folder) {
  recording.refuse_untrusted(trace::read_command(folder));
  auto const ended = run_in_child(
      [&] {
        return replay_command(recording.replay_words({"--tool", "events=" + folder}));
      },
      false);
  if (!events::has_events(folder))
    throw Error("{} cannot be replayed: {}; `earl replay {}` shows more", folder,
                ended.said.empty() ? "the replay was killed" : ended.said, folder);
  if (ended.exit_code == diverged)
    fmt::print(stderr, "earl: {}; what follows goes so far\n", ended.said);
}

}  // namespace

std::string events_of(RecordingChoice const& recording) {
  auto folder = std::filesystem::absolute(recording.folder).lexically_normal().string();
  if (!events::has_events(folder)) make_events(recording, folder);
  return folder;
}

int profile_command(std::vector<std::string> const& words) {
  auto plan = parse_profile(words);
  auto const folder = events_of(plan.recording);
  plan.options.timed = events::has_times(folder);
  analyse::print_profile(folder, plan.options);
  return 0;
}

int flip_command(std::vector<std::string> const& words) {
  auto const plan = parse_flip(words);
  auto const folder = events_of(plan.recording);
  auto const path = analyse::path_to_flip(folder, plan.race);
  auto const again = plan.recording.replay_words({"--path", path});
  fmt::print(stderr, "earl: this is `earl replay {}`\n", fmt::join(again, " "));
  return replay_command(again);
}

int diff_command(std::vector<std::string> const& words) {
  auto const plan = parse_diff(words);
  for (auto const& recording : {plan.a, plan.b}) events_of(recording);
  return analyse::print_diff(plan.a.folder, plan.b.folder, plan.options) ? 0 : differ;
}

int view_command(std::vector<std::string> const& words) {
  auto const plan = parse_view(words);
  auto const folder = events_of(plan.recording);
  auto const file = plan.file.empty() ? folder + "/view.html" : plan.file;
  analyse::write_view(folder, file);
  if (file != "-") fmt::print("{}\n", file);
  return 0;
}

int export_command(std::vector<std::string> const& words) {
  auto const plan = parse_export(words);
  auto const folder = events_of(plan.recording);
  auto const file = plan.file.empty()
                        ? fmt::format("{}/export.{}", folder, analyse::ending_of(plan.format))
                        : plan.file;
  if (plan.file.empty()) std::filesystem::remove_all(file);
  analyse::export_run(folder, file, plan.format, events::has_times(folder));
  if (file != "-") fmt::print("{}\n", file);
  return 0;
}

int races_command(std::vector<std::string> const& words) {
  auto const plan = parse_races(words);
  auto const folder = events_of(plan.recording);
  analyse::print_races(folder, plan.options);
  return 0;
}

}  // namespace earl::exec
