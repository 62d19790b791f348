// SPDX-License-Identifier: BSD-3-Clause
#include "debug/replay/replay.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <optional>
#include <unordered_map>

#include "debug/replay/argument.hpp"
#include "debug/replay/cuts.hpp"
#include "debug/replay/multi_host.hpp"
#include "debug/replay/replayer.hpp"
#include "debug/symbols/modules.hpp"
#include "debug/trace/describe.hpp"
#include "debug/trace/meta.hpp"
#include "debug/trace/trace_file.hpp"
#include "generic/base/error.hpp"
#include "generic/base/number.hpp"
#include "generic/seams/standstill_judge.hpp"
#include "generic/system/standard_input.hpp"
#include "generic/system/unix_socket.hpp"

namespace earl {

using trace::OutcomeKind;

namespace {

/// Why a file cannot be read as a trace at all, as after a cut in its first bytes; null: it can.
std::optional<std::string> unreadable(std::string const& path) {
  try {
    if (!std::filesystem::exists(path)) return "there is no record of this process";
    trace::TraceReader const reader(path);
    return std::nullopt;
  } catch (Error const& error) {
    return error.what();
  }
}

replay::Recording record_of(std::string const& folder, Rank rank) {
  auto const path = trace::rank_path(folder, rank);
  auto const meta = trace::read_meta(folder);
  auto recording = replay::Recording::none("");
  if (auto why = unreadable(path))
    recording = replay::Recording::none(std::move(*why));
  else
    recording = replay::Recording(path, rank, meta.run);
  if (meta.keep != 0) recording.set_kept_in_part();
  if (auto const end = trace::read_end(folder);
      end && (!end->standstill.empty() || (end->failed && *end->failed != number(rank))))
    recording.waits_in_last_call();
  return recording;
}

trace::CallPlace until_of(replay::Argument const& wanted) {
  return trace::parse_call_place("--until", wanted.until);
}

/// Throws Error when the recorded run has no such call. On another path it may have more.
void check_until(replay::Argument const& wanted, trace::CallPlace const& until,
                 replay::Recording const& recording) {
  if (until.event > recording.events() && wanted.path.empty())
    throw Error("--until {}: rank {} {} {} API calls", wanted.until, number(until.rank),
                recording.complete() ? "made" : "is recorded for", recording.events());
}

void check_until(replay::Argument const& wanted, trace::Meta const& meta) {
  auto const until = until_of(wanted);
  if (!trace::ranks_in(wanted.folder, meta).contains(number(until.rank)))
    throw Error("--until {}: the recording has no rank {}", wanted.until, number(until.rank));
  check_until(wanted, until, record_of(wanted.folder, until.rank));
}

/// Inherited by this process, and not by its program's children.
Descriptor line_of_forks(std::string const& text) {
  auto const fd = number_from<int>(text);
  if (!fd || *fd < 0 || !is_channel(*fd)) throw Error("forks={}: this is no line to gdb", text);
  ::fcntl(*fd, F_SETFD, FD_CLOEXEC);
  return Descriptor(*fd);
}

/// Returns in the processes that are forked from this one.
replay::Replayer::Stop kept_from_the_start(std::string const& line) {
  replay::ForkServer forks(line_of_forks(line));
  auto const event = forks.stop(0);
  return {.event = event, .forks = std::move(forks)};
}

replay::Recording recording_in(replay::Argument const& wanted, Rank rank) {
  auto recording = record_of(wanted.folder, rank);
  if (!wanted.checks_contents) recording.ignore_contents();
  return recording;
}

replay::Deviations deviations_in(std::string const& path, Rank rank,
                                 replay::Recording const& recording) {
  if (path.empty()) return {};
  return {trace::parse_path(path), rank, recording.complete(), recording.events()};
}

replay::Deviations places_in(replay::Argument const& wanted, DebuggedProcess const& process) {
  if (wanted.checkpoint.empty()) return {};
  return {trace::parse_path(wanted.checkpoint), process.rank()};
}

std::unique_ptr<Interceptor> in_process(std::string_view argument, DebuggedProcess& process) {
  const replay::Argument wanted{argument};
  auto recording = recording_in(wanted, process.rank());
  auto deviations = deviations_in(wanted.path, process.rank(), recording);
  std::optional<trace::CallPlace> until;
  if (!wanted.until.empty()) until = until_of(wanted);
  if (until && until->rank != process.rank()) until.reset();
  if (until) check_until(wanted, *until, recording);
  auto replayer =
      std::make_unique<replay::Replayer>(std::move(recording), std::move(deviations), process);
  if (until) replayer->stop_at({.event = until->event, .gdb = wanted.gdb});
  if (!wanted.checkpoint.empty()) replayer->stop_at({.checkpoint = places_in(wanted, process)});
  if (!wanted.forks.empty()) replayer->stop_at(kept_from_the_start(wanted.forks));
  return replayer;
}

void warn(std::string const& sentence) {
  auto const line = "earl: " + sentence + "\n";
  if (write(STDERR_FILENO, line.data(), line.size()) < 0) return;
}

/// Cuts it as the recorded one was cut. False: not all of that is there yet.
bool cut(OutputPiece& piece, trace::Outcome const& then) {
  auto const bytes = static_cast<std::size_t>(then.value);
  if (piece.bytes < bytes) return piece.last && piece.bytes != 0;
  if (bytes == 0 && piece.bytes != 0) return false;
  piece.bytes = bytes;
  return true;
}

/// The facts of EXEC's stream that are needed before the first process starts.
struct JobFacts {
  std::unordered_map<Rank, int> deaths;  ///< wait statuses
  Descriptor input;                      ///< the recorded standard input
  bool input_cut = false;
};

void append(Descriptor const& file, std::string_view text) {
  if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw Error("no memory for the recorded standard input: {}", system_message(errno));
}

JobFacts read_facts(std::string const& path) {
  JobFacts facts;
  facts.input = Descriptor(::memfd_create("earl-input", MFD_CLOEXEC));
  if (!facts.input) throw Error("no memory for standard input: {}", system_message(errno));
  trace::TraceReader reader(path);
  while (auto const outcomes = reader.next()) {
    if (reader.met_gap()) break;
    for (auto const& outcome : *outcomes) {
      if (outcome.what == OutcomeKind::died)
        facts.deaths[outcome.id.source] = static_cast<int>(outcome.value);
      if (outcome.what != OutcomeKind::input) continue;
      append(facts.input, outcome.text);
      facts.input_cut = facts.input_cut || outcome.count != 0;
    }
  }
  ::lseek(facts.input.get(), 0, SEEK_SET);
  return facts;
}

/// EXEC takes in requests, ends and output in the recorded order: an early one waits.
class JobReplayer final : public JobInterceptor,
                          public StandstillJudge,
                          public StandstillListener,
                          public InputSource {
 public:
  JobReplayer(replay::Argument const& wanted, trace::Meta const& meta)
      : folder_(wanted.folder),
        follows_(wanted.path.empty()),
        end_(follows_ ? trace::read_end(folder_) : std::nullopt) {
    auto const path = trace::exec_path(folder_);
    if (auto const why = unreadable(path)) {
      warn(*why + "; the order of EXEC's answers is not replayed");
      return;
    }
    facts_ = read_facts(path);
    trace::TraceReader reader(path);
    if (reader.run() != meta.run)
      throw Error("{} is of another recording than its meta.json", path);
    if (follows_) reader_.emplace(path);
    if (facts_.input_cut)
      warn("the recording does not hold all of the standard input; the programs read an end there");
  }

  Descriptor input() override { return std::move(facts_.input); }

  bool may_serve(Rank from, std::uint32_t operation) override {
    auto const* due = next();
    // Behind the end of a record no process is held up: the processes themselves know where to
    // stop.
    return due == nullptr ||
           (due->what == OutcomeKind::served && due->id.source == from && due->count == operation);
  }
  bool may_announce_death(Rank rank) override {
    auto const* due = next();
    return due == nullptr || (due->what == OutcomeKind::died && due->id.source == rank);
  }
  void served(Rank, std::uint32_t, Bytes) override { pass(); }
  void died(Rank rank, int wait_status) override {
    if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == replay::cut_code)
      met_cut_.push_back(rank);
    pass();
  }
  bool may_deliver_output(OutputPiece& piece) override {
    auto const* due = next();
    return due == nullptr || (due->what == OutcomeKind::printed && due->id.source == piece.writer &&
                              due->count == piece.stream && cut(piece, *due));
  }
  void output_delivered(OutputPiece const&) override { pass(); }
  Rank choose_rank(Rank rank, Rank next_one) override {
    auto const* due = next();
    if (due == nullptr) return rank;
    if (due->what != OutcomeKind::named) return next_one;
    auto const then = due->id.source;
    pass();
    return then;
  }
  /// The name comes behind the request, which is due.
  std::optional<Rank> coming_rank(Rank next_one) override {
    if (next() == nullptr) return std::nullopt;
    auto const* const then = behind_next();
    return then != nullptr && then->what == OutcomeKind::named ? then->id.source : next_one;
  }
  /// A process that was killed after it sent a request may be killed before it this time.
  bool stop_waiting_for(std::span<Rank const> dead) override {
    auto const* due = next();
    if (due == nullptr || due->what != OutcomeKind::served ||
        !std::ranges::count(dead, due->id.source))
      return false;
    pass();
    return true;
  }

  /// A job that stood still when it was recorded is judged as it was then.
  bool judges_alone() const override { return follows_ && !stood_still_then(); }
  std::optional<StandstillVerdict> judge_quiescence(std::span<WaitingProcess const>) override {
    if (!follows_) return std::nullopt;
    auto const* due = next();
    if (stood_still_then() && (due == nullptr || due->what == OutcomeKind::died))
      return std::nullopt;
    auto const cut = replay::cuts_in(folder_);
    stuck_at_cut_ = !cut.empty() && !stood_still_then();
    if (stuck_at_cut_)
      return StandstillVerdict{
          replay::cut_code,
          "replayed as far as the recording goes: no process can continue; " + cut};
    auto const missing =
        due == nullptr ? "" : "; next in the recording: " + trace::result_text(*due);
    return StandstillVerdict{replay::diverged_code,
                             "replay diverged: no process can continue" + missing};
  }
  void quiescence_judged(StandstillVerdict const& found) override {
    if (stood_still_then() && found.exit_code != replay::diverged_code &&
        found.sentence != end_->standstill)
      warn("the recorded run was reported otherwise: " + end_->standstill);
  }

  /// Only the process that ended the recorded run, of several that fail.
  bool may_fail(Rank rank) override {
    return !follows_ || !end_ || !end_->failed || *end_->failed == number(rank);
  }

  int finished(int exit_code) override {
    if (!follows_) return exit_code;
    // Processes that end with the rest of a job die in any order.
    while (next() != nullptr && next()->what == OutcomeKind::died) pass();
    auto const* left = next();
    auto const cut = replay::cuts_in(folder_);
    if (exit_code == replay::cut_code ||
        (exit_code == 0 && (!met_cut_.empty() || (left != nullptr && !cut.empty()))))
      return code_of_cut(cut);
    if (exit_code != 0) return exit_code;
    if (left != nullptr) {
      warn("replay diverged: this run did not come to where the recording says: " +
           trace::result_text(*left));
      return replay::diverged_code;
    }
    if (!cut.empty()) report_damage();
    return 0;
  }

 private:
  bool stood_still_then() const { return end_ && !end_->standstill.empty(); }

  void report_damage() const {
    if (auto const damage = replay::damage_in(folder_); !damage.empty())
      warn("replayed to the end, but " + damage + ": what cannot be read there was not compared");
  }

  /// The recorded run's own exit code, if its end is known and the processes whose record stops
  /// were killed in it. A run that ended with 0 was not quiescent.
  int code_of_cut(std::string const& text) {
    auto const killed = [&](Rank rank) {
      auto const death = facts_.deaths.find(rank);
      return death == facts_.deaths.end() || WIFSIGNALED(death->second);
    };
    bool const known = end_ && !(stuck_at_cut_ && end_->exit_code == 0);
    // A process may end without a word to Earl, and does so again.
    auto const met = met_cut_.empty() ? replay::cut_ranks_in(folder_) : met_cut_;
    if (known && std::ranges::all_of(met, killed)) return end_->exit_code;
    warn("the recording ends here, before the run did: " + text);
    return replay::cut_code;
  }

  /// The next of these in the record; null: no more.
  trace::Outcome const* next() {
    if (at_ > outcomes_.size() / 2) {
      outcomes_.erase(outcomes_.begin(), outcomes_.begin() + static_cast<std::ptrdiff_t>(at_));
      at_ = 0;
    }
    at_ = find_from(at_);
    return at_ < outcomes_.size() ? &outcomes_[at_] : nullptr;
  }
  /// The one after that.
  trace::Outcome const* behind_next() {
    auto const second = find_from(at_ + 1);
    return second < outcomes_.size() ? &outcomes_[second] : nullptr;
  }
  /// The place of the first one from there on; that of the end: no more.
  std::size_t find_from(std::size_t at) {
    for (;; ++at) {
      while (at >= outcomes_.size()) {
        auto more = reader_ ? reader_->next() : std::nullopt;
        if (!more || reader_->met_gap()) return outcomes_.size();
        std::ranges::move(*more, std::back_inserter(outcomes_));
      }
      if (trace::is_of_exec(outcomes_[at].what)) return at;
    }
  }
  void pass() {
    if (next() != nullptr) ++at_;
  }

  std::string folder_;
  bool follows_;                      ///< false: a path goes another way, and EXEC goes along
  std::optional<trace::RunEnd> end_;  ///< null: unknown
  JobFacts facts_;
  std::optional<trace::TraceReader> reader_;  ///< null: there is nothing to read
  std::vector<trace::Outcome> outcomes_;
  std::size_t at_ = 0;
  bool stuck_at_cut_ = false;
  std::vector<Rank> met_cut_;  ///< have come to the end of their records
};

/// Another build of a program may still replay; its user should know.
void compare_programs(trace::Meta const& then, JobInfo const& info) {
  trace::Meta now;
  now.job = info;
  trace::note_programs(now);
  for (std::size_t i = 0; i < then.programs.size() && i < now.programs.size(); ++i)
    if (then.build_ids.size() > i && then.build_ids[i] != now.build_ids[i])
      warn(fmt::format(
          "{} is not the program that was recorded: it has been rebuilt since; the replay may "
          "diverge",
          now.programs[i]));
}

/// Once, and the first process whose record lacks its beginning.
void report_unkept(std::string const& folder, trace::Meta const& meta) {
  if (auto const dropped = trace::dropped_beginning(folder, meta))
    warn(
        fmt::format("the beginning of the record is not kept, of rank {} all before call {}: "
                    "receives there take any message that was received there, and the contents of "
                    "messages are not compared",
                    dropped->rank, dropped->first_event));
}

std::unique_ptr<JobInterceptor> in_exec(std::string_view argument, JobInfo const& info) {
  const replay::Argument wanted{argument};
  auto const& folder = wanted.folder;
  auto const meta = trace::read_meta(folder);
  if (meta.job.initial != info.initial)
    throw Error("{} was recorded with {} processes and cannot be replayed with {}", folder,
                meta.job.initial, info.initial);
  if (!wanted.until.empty()) check_until(wanted, meta);
  compare_programs(meta, info);
  report_unkept(folder, meta);
  if (meta.job.fixed_addresses && !info.fixed_addresses)
    warn(
        "this system does not allow the fixed addresses of the recording: personality() is "
        "refused; a "
        "program that compares or hashes pointers may diverge");
  return std::make_unique<JobReplayer>(wanted, meta);
}

}  // namespace

/// The recordings agree up to here, and their sites may have other numbers.
void replay::Replayer::continue_as(std::span<std::string_view const>& arguments) {
  const Argument wanted{arguments.front()};
  arguments = arguments.subspan(1);
  auto const used = recording_.used();
  recording_ = recording_in(wanted, process_.rank());
  recording_.skip(used);
  deviations_ = deviations_in(wanted.path, process_.rank(), recording_);
  checkpoint_.set_places(places_in(wanted, process_));
  sites_ = {};
  here_ = &sites_.at(call_);
}

Descriptor recorded_input(std::string const& folder) {
  return std::move(read_facts(trace::exec_path(folder)).input);
}

constinit Tool const replay_tool{.name = "replay",
                                 .summary = "replays a recorded run",
                                 .in_process = in_process,
                                 .in_exec = in_exec,
                                 .multi_host = &replay::multi_host,
                                 .fixed_addresses = true};

}  // namespace earl
