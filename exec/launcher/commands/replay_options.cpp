// SPDX-License-Identifier: BSD-3-Clause
/// The command line of `earl replay`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <utility>

#include "backends/registry.hpp"
#include "debug/trace/path.hpp"
#include "debug/trace/show.hpp"
#include "exec/launcher/commands/command_line.hpp"
#include "exec/launcher/commands/job_options.hpp"
#include "exec/launcher/commands/options.hpp"
#include "exec/launcher/commands/recordings.hpp"
#include "exec/launcher/hosts/host_list.hpp"
#include "exec/launcher/nearest.hpp"
#include "exec/launcher/settings/environment.hpp"
#include "generic/base/error.hpp"
#include "generic/base/number.hpp"
#include "generic/base/words.hpp"

namespace earl::exec {

using Arguments = std::vector<std::string>;

namespace {

std::vector<RequestedHost> recorded_hosts(trace::Recorded const& recorded) {
  if (recorded.hosts.empty()) return {};
  return parse_hosts(fmt::format("{}", fmt::join(recorded.hosts, ",")));
}

/// The options of a replay only.
struct RawReplay {
  bool own_input = false;
  std::string contents = "check";
  std::string path;
  std::string until;
  std::string alone;
  std::string with;
  Arguments assignments;
};

void add_replay_options(CommandLine& line, RawReplay& raw) {
  line.add_flag({.names = "--own-input",
                 .help = "Programs read this command's standard input, not the recorded one"},
                raw.own_input);
  line.add_value({.names = "--contents",
                  .help = "ignore: messages may hold other bytes than recorded, as those of "
                          "programs do that send memory which they never wrote",
                  .type = "check|ignore"},
                 raw.contents);
  line.add_value({.names = "--path",
                  .help = "Receives get other messages: RANK:RECEIVE=SOURCE#MESSAGE, more with "
                          "commas between; what comes after them is free, all else as recorded",
                  .type = "PATH"},
                 raw.path);
  line.add_value(
      {.names = "--until",
       .help = "Run up to call EVENT of process RANK and print where that is; events are "
               "those of `earl show --messages`. With --gdb: under gdb there",
       .type = "RANK@EVENT"},
      raw.until);
  line.add_value({.names = "--alone",
                  .help = "Run only this process; its messages come from a replay of all, which is "
                          "done once. With --gdb: under gdb",
                  .type = "RANK"},
                 raw.alone);
  line.add_value({.names = "--with",
                  .help = "With --alone: the command that runs the program, as in --with 'valgrind "
                          "-q'",
                  .type = "COMMAND"},
                 raw.with);
  line.add_values({.names = "-x",
                   .help = "Give the programs this variable beside the recorded ones; may be "
                           "repeated",
                   .type = "NAME[=VALUE]"},
                  raw.assignments);
}

/// Before the command line's. An order in which processes run, and a clock, are the recorded ones
/// on any back end.
void put_recorded_settings(Settings& settings, trace::Recorded const& recorded,
                           std::string const& back_end) {
  for (auto const& kept : recorded.settings) {
    auto const key = kept.substr(0, kept.find('='));
    auto const* row = find_setting(key);
    if (!row || key.size() == kept.size())
      throw Error("the recording keeps the setting {}, which this Earl does not know", kept);
    bool const of_shared_processes = key == "seed" || key == "time";
    if (of_shared_processes && !find_back_end(back_end)->shared_process) continue;
    settings.put(*row, kept.substr(key.size() + 1), "the recording", "the recording's " + kept);
  }
}

std::vector<std::string> replayed_environment(trace::Recorded const& recorded,
                                              Arguments const& assignments) {
  auto environment = recorded_environment(recorded.environment);
  for (auto const& assignment : assignments) set(environment, parse_assignment(assignment));
  return environment;
}

/// The replay first: it is asked before a debugger that ends a quiescent job.
void add_replayed_tools(Plan& plan, trace::Recorded const& recorded, std::string const& recording,
                        std::string const& contents) {
  // Where a process's beginning is not known, others may have had other messages of it.
  bool const compared = contents == "check" && !recorded.dropped_beginning;
  auto const how = compared ? "" : "contents=ignore,";
  plan.tools = {{.name = "replay", .argument = how + recording}};
  for (auto const& text : recorded.tools) {
    auto const name = parse_tool(text).name;
    bool const of_that_run =
        name == "record" || name == "replay" || name == "events" || name == "break";
    if (!of_that_run) add_tool(plan, text);
  }
}

void check_contents(std::string const& contents) {
  if (contents != "check" && contents != "ignore")
    throw UsageError("--contents {}: check or ignore is needed{}", contents,
                     guess(contents, {"check", "ignore"}));
}

void check_path(std::string const& path) {
  try {
    static_cast<void>(trace::parse_path(path));
  } catch (Error const& error) {
    throw UsageError("--path: {}", error.what());
  }
}

trace::CallPlace parse_until(std::string const& until) {
  try {
    return trace::parse_call_place("--until", until);
  } catch (Error const& error) {
    throw UsageError("{}", error.what());
  }
}

/// gdb attaches itself to a process of its own; one that holds all ranks runs under it.
void apply_until(Plan& plan, std::string const& until, Settings const& settings, RawJob& raw) {
  auto& argument = plan.tools.front().argument;
  argument = fmt::format("{}={}|{}", raw.gdb ? "gdb" : "until", until, argument);
  auto const* const back_end = find_back_end(settings.at(*find_setting("on")).text);
  raw.gdb = raw.gdb && back_end && back_end->shared_process;
}

void check_alone(RawReplay const& own) {
  if (own.alone.empty() && !own.with.empty()) throw UsageError("--with: --alone is needed, too");
  if (own.alone.empty()) return;
  auto const rank = number_from<std::int32_t>(own.alone);
  if (!rank || *rank < 0) throw UsageError("--alone {}: a rank is a number from 0", own.alone);
  if (!own.path.empty()) throw UsageError("--alone: the process can go no other --path");
}

void check_values(RawReplay const& own) {
  check_contents(own.contents);
  if (!own.path.empty()) check_path(own.path);
  if (!own.until.empty()) parse_until(own.until);
  check_alone(own);
}

/// Takes the options that mean this process alone, which have been checked. Null: all processes
/// run.
std::optional<AlonePlan> take_alone(RawReplay& own, RawJob& raw) {
  if (own.alone.empty()) return std::nullopt;
  AlonePlan plan{.rank = Rank{*number_from<std::int32_t>(own.alone)},
                 .gdb = std::exchange(raw.gdb, false),
                 .before = split_words(own.with)};
  if (auto const until = std::exchange(own.until, {}); !until.empty()) {
    auto const place = parse_until(until);
    if (place.rank != plan.rank)
      throw UsageError("--until {}: the process that runs is {}", until, own.alone);
    plan.event = std::to_string(place.event);
  }
  return plan;
}

}  // namespace

/// The orders in which the other receives could have got their messages are not known.
void refuse_incomplete(std::string const& folder, std::string_view wanted) {
  throw Error(
      "{0} is a recording {2}, which {1} cannot start from: make a full one of the same run "
      "with `earl replay --tool record=NEW {0}`",
      folder, wanted,
      trace::read_command(folder).minimal ? "of --minimal" : "of which --keep has kept a part");
}

ReplayPlan parse_replay(Arguments const& arguments, Settings settings) {
  CommandLine line("earl replay", "Run a recorded job again, the same run.\n");
  RawJob raw;
  RawReplay own;
  add_job_options(line, raw);
  add_replay_options(line, own);
  auto const chosen_recording = parse_recording(line, "earl replay", arguments, [&] {
    check_values(own);
    auto trial = settings;
    put_command_line(trial, line, raw);
  });
  raw.folder = chosen_recording.folder;
  auto const recording = std::filesystem::absolute(raw.folder).string();
  auto const recorded = trace::read_command(recording);
  chosen_recording.refuse_untrusted(recorded);
  if (!recorded.full() && !own.path.empty()) refuse_incomplete(raw.folder, "another path");
  if (!recorded.full() && !own.alone.empty()) refuse_incomplete(raw.folder, "one process alone");
  auto alone = take_alone(own, raw);
  settings.put(*find_setting("on"), recorded.back_end, "the recording",
               "the recording's back end " + recorded.back_end);
  auto chosen = settings;
  put_command_line(chosen, line, raw);
  put_recorded_settings(settings, recorded, chosen.at(*find_setting("on")).text);
  put_command_line(settings, line, raw);
  // A job of several programs carries its own -n.
  auto command = recorded.command;
  if (recorded.initial > 1 && (command.empty() || command.front() != "-n"))
    command.insert(command.begin(), {"-n", std::to_string(recorded.initial)});
  auto plan = parse_job({.command = "earl replay", .summary = {}}, command);
  for (std::size_t i = 0; i < plan.apps.size() && i < recorded.programs.size(); ++i)
    plan.apps[i].found = recorded.programs[i];
  add_replayed_tools(plan, recorded, recording, own.contents);
  if (!own.until.empty()) apply_until(plan, own.until, chosen, raw);
  auto const reader = plan.reader;
  apply_job(plan, raw, settings);
  // gdb takes the terminal, which the recorded input does not come from.
  if (plan.gdb && !own.own_input) {
    plan.reader = reader;
    auto const& value = settings.at(*find_setting("stdin"));
    if (value.origin != Settings::built_in) find_setting("stdin")->apply(plan, value.text);
  }
  check_sizes(plan);
  plan.recorded_hosts = recorded_hosts(recorded);
  plan.environment = replayed_environment(recorded, own.assignments);
  plan.own_input = own.own_input;
  return {.plan = std::move(plan),
          .folder = recorded.folder,
          .recording = recording,
          .full = recorded.full(),
          .path = own.path,
          .alone = std::move(alone)};
}

}  // namespace earl::exec
