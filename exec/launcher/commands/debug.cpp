// SPDX-License-Identifier: BSD-3-Clause
/// `earl debug`: walks through a recorded run, message by message, forward and back.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <span>

#include "debug/analyse/load.hpp"
#include "debug/analyse/races.hpp"
#include "debug/analyse/walk.hpp"
#include "exec/launcher/commands/command_line.hpp"
#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/dap_server.hpp"
#include "exec/launcher/commands/events_of.hpp"
#include "exec/launcher/commands/gdb_session.hpp"
#include "exec/launcher/commands/line_reader.hpp"
#include "exec/launcher/commands/options.hpp"
#include "exec/launcher/commands/output_aside.hpp"
#include "exec/launcher/commands/recordings.hpp"
#include "exec/launcher/commands/run.hpp"
#include "exec/launcher/commands/trial_run.hpp"
#include "exec/launcher/nearest.hpp"
#include "generic/base/number.hpp"
#include "generic/base/words.hpp"

namespace earl::exec {

namespace {

using Arguments = std::vector<std::string>;

constexpr int something_failed = 1;

/// A run, and the place in it.
struct Session {
  RecordingChoice recording;
  std::string folder;
  analyse::Walk walk;
  std::map<std::uint32_t, GdbSession> gdbs{};  ///< by rank, of those that gdb has been asked about
};

struct Verb {
  std::string_view name;
  std::string_view arguments;
  std::string_view summary;
  /// Gets the arguments after the name. Throws Error with a sentence for the user, who may go on
  /// then.
  void (*run)(Session& session, Arguments const& arguments);
};

std::uint64_t number_of(std::string const& text, std::string_view what) {
  auto const value = number_from<std::uint64_t>(text);
  if (!value) throw UsageError("{}: {} is needed", text, what);
  return *value;
}

std::uint32_t rank_of(Session const& session, Arguments const& arguments) {
  if (arguments.empty())
    throw UsageError("missing rank: name one of 0 to {}", session.walk.ranks() - 1);
  auto const rank = number_of(arguments.front(), "a rank");
  if (rank >= session.walk.ranks())
    throw UsageError("there is no rank {}: name one of 0 to {}", rank, session.walk.ranks() - 1);
  return static_cast<std::uint32_t>(rank);
}

void print_place(Session& session) {
  auto const last = session.walk.last();
  fmt::print("[{} of {}] {}\n", session.walk.done(), session.walk.size(),
             last.empty() ? "the start" : last);
}

std::uint64_t count_in(Arguments const& arguments) {
  return arguments.empty() ? 1 : number_of(arguments.front(), "a number of messages");
}

void next(Session& session, Arguments const& arguments) {
  auto const left = session.walk.size() - session.walk.done();
  if (left == 0) throw UsageError("cannot go on: this is the end of the run; `back` goes back");
  session.walk.go_to(session.walk.done() + std::min<std::uint64_t>(count_in(arguments), left));
  print_place(session);
}

void back(Session& session, Arguments const& arguments) {
  if (session.walk.done() == 0)
    throw UsageError("cannot go back: this is the start of the run; `next` goes on");
  auto const count = std::min<std::uint64_t>(count_in(arguments), session.walk.done());
  session.walk.go_to(session.walk.done() - count);
  print_place(session);
}

void end(Session& session, Arguments const&) {
  session.walk.go_to(session.walk.size());
  print_place(session);
  if (!session.walk.deadlock().empty()) fmt::print("{}\n", session.walk.deadlock());
}

void step(Session& session, Arguments const& arguments) {
  auto const rank = rank_of(session, arguments);
  if (!session.walk.pass_next_of(rank))
    throw UsageError("cannot step: rank {} has no further message; go back or choose another rank",
                     rank);
  print_place(session);
}

void until(Session& session, Arguments const& arguments) {
  auto const place = arguments.empty() ? "" : arguments.front();
  auto const at = std::min(place.find('@'), place.size());
  if (at == place.size()) throw UsageError("until: RANK@EVENT is needed, as in 3@120");
  auto const rank = rank_of(session, {place.substr(0, at)});
  auto const event = number_of(place.substr(at + 1), "an event");
  if (!session.walk.go_before(rank, event))
    throw UsageError("rank {} has no message from event {} on; choose an earlier event", rank,
                     event);
  print_place(session);
}

void where(Session& session, Arguments const&) {
  for (auto const& line : session.walk.where()) fmt::print("{}\n", line);
}

void queues(Session& session, Arguments const&) {
  auto const lines = session.walk.queues();
  for (auto const& line : lines) fmt::print("{}\n", line);
  if (lines.empty()) fmt::print("no message is under way\n");
}

std::uint64_t event_of(Session const& session, std::uint32_t rank) {
  auto const event = session.walk.event_of(rank);
  if (event == 0) throw UsageError("rank {} made no call", rank);
  return event;
}

/// A replay that goes there.
void stack(Session& session, Arguments const& arguments) {
  auto const rank = rank_of(session, arguments);
  auto const until = fmt::format("{}@{}", rank, event_of(session, rank));
  auto const ended = run_in_child(
      [&] {
        return replay_command(session.recording.replay_arguments({"--until", until}));
      },
      false);
  fmt::print("{}\n", ended.said.empty() ? "the replay was killed" : ended.said);
}

/// With a command: the process alone, where gdb stays. Else gdb has the terminal.
void gdb(Session& session, Arguments const& arguments) {
  auto const rank = rank_of(session, arguments);
  auto const event = event_of(session, rank);
  if (arguments.size() == 1) {
    std::fflush(nullptr);
    auto const replay =
        session.recording.replay_arguments({"--until", fmt::format("{}@{}", rank, event), "--gdb"});
    run_foreground([&] { return replay_command(replay); });
    return;
  }
  auto& there =
      session.gdbs.try_emplace(rank, session.recording, Rank{static_cast<int>(rank)}).first->second;
  auto const rest = std::span{arguments}.subspan(1);
  fmt::print("{}", there.output_of(fmt::format("{}", fmt::join(rest, " ")), event));
}

void races(Session& session, Arguments const&) { analyse::print_races(session.folder, {}); }

void help(Session& session, Arguments const& arguments);

constexpr std::array verbs{
    Verb{"next", "[N]", "go on by N messages, sent or received", next},
    Verb{"back", "[N]", "go back by N messages", back},
    Verb{"step", "RANK", "go on to the next message of a rank", step},
    Verb{"until", "RANK@EVENT", "go to before this call of a rank", until},
    Verb{"end", "", "go to the end of the run, and show the report of a deadlock there", end},
    Verb{"where", "", "show where each rank is", where},
    Verb{"queues", "", "show messages that are sent and not received", queues},
    Verb{"stack", "RANK", "show the calls that led a rank here", stack},
    Verb{"gdb", "RANK [COMMAND]", "have gdb look at a rank here, or do one command there", gdb},
    Verb{"races", "", "show which receives raced", races},
    Verb{"help", "", "show this", help},
    Verb{"quit", "", "leave", nullptr}};

void help(Session&, Arguments const&) {
  for (auto const& verb : verbs)
    fmt::print("  {:<22} {}\n", fmt::format("{} {}", verb.name, verb.arguments), verb.summary);
}

Arguments names() {
  Arguments all;
  for (auto const& verb : verbs) all.emplace_back(verb.name);
  return all;
}

/// Null: leave.
Verb const* find_verb(std::string const& name) {
  auto const found = std::ranges::find(verbs, name, &Verb::name);
  if (found == verbs.end())
    throw UsageError("there is no command {}{}; `help` lists them", name, guess(name, names()));
  return found->run ? &*found : nullptr;
}

int talk(Session& session) {
  LineReader lines("earl> ", names());
  int code = 0;
  while (auto const line = lines.next()) {
    auto arguments = split_words(*line);
    if (arguments.empty() || arguments.front().starts_with('#')) continue;
    try {
      auto const* const verb = find_verb(arguments.front());
      if (!verb) return code;
      arguments.erase(arguments.begin());
      verb->run(session, arguments);
    } catch (Error const& error) {
      fmt::print("{}\n", error.what());
      code = something_failed;
    }
    std::fflush(stdout);
  }
  return code;
}

/// The protocol alone is on standard output.
int serve_editor(RecordingChoice const& recording) {
  OutputAside const output;
  DapMessages messages(STDIN_FILENO, output.own());
  DapServer(messages, recording).serve();
  return 0;
}

}  // namespace

int debug_command(Arguments const& arguments) {
  CommandLine line("earl debug",
                   "Walk through a recorded run, message by message, forward and back; commands "
                   "come from standard input, `help` lists them.\n");
  bool dap = false;
  line.add_flag({.names = "--dap",
                 .help = "Serve an editor, which speaks the Debug Adapter Protocol on standard "
                         "input and output; its launch request may name the recording"},
                dap);
  auto recording = parse_named_recording(line, arguments);
  if (dap) return serve_editor(recording);
  if (recording.folder.empty()) recording.folder = latest_recording("earl debug");
  auto const folder = events_of(recording).folder;
  Session session{.recording = recording,
                  .folder = folder,
                  .walk = analyse::Walk(analyse::load_history(folder))};
  if (!session.walk.deadlock().empty())
    fmt::print("the run ended in a deadlock: `end` goes there\n");
  print_place(session);
  return talk(session);
}

}  // namespace earl::exec
