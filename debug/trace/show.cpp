// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/show.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "debug/trace/describe.hpp"
#include "debug/trace/free_receives.hpp"
#include "debug/trace/meta.hpp"
#include "debug/trace/reader.hpp"
#include "debug/trace/trace_file.hpp"
#include "generic/base/error.hpp"

namespace earl::trace {

namespace {

namespace fs = std::filesystem;

struct Totals {
  std::uint64_t receives = 0;   ///< whose outcome is there
  std::uint64_t free = 0;       ///< of a minimal recording: wildcard receives without an outcome
  std::uint64_t completed = 0;  ///< likewise: receives of any kind, in the whole frames
  std::uint64_t looks = 0;      ///< probes, tries and tests that said yes
  std::uint64_t misses = 0;
  std::uint64_t clocks = 0;
  std::uint64_t served = 0;
  std::uint64_t input = 0;  ///< bytes
  std::uint64_t last_event = 0;
  std::uint32_t last_site = no_site;

  void count(Outcome const& outcome);
};

void Totals::count(Outcome const& outcome) {
  if (outcome.what == OutcomeKind::receive && !outcome.is_loss()) ++receives;
  if (outcome.what == OutcomeKind::free_receives) {
    FreeLists lists;
    lists.read(outcome.text);
    free += lists.receives();
    completed += outcome.count;
  }
  if (outcome.what == OutcomeKind::probe || outcome.what == OutcomeKind::hit ||
      outcome.what == OutcomeKind::tested)
    ++looks;
  if (outcome.what == OutcomeKind::misses) misses += outcome.count;
  if (outcome.what == OutcomeKind::clock) ++clocks;
  if (outcome.what == OutcomeKind::served) ++served;
  if (outcome.what == OutcomeKind::input) input += outcome.text.size();
  if (outcome.event < last_event) return;
  last_event = outcome.event;
  if (outcome.site != no_site) last_site = outcome.site;
}

double percent(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(all);
}

/// For a minimal recording.
std::string kept_text(Totals const& totals) {
  return fmt::format(", {} kept ({:.1f} %; of {} {:.1f} %)",
                     counted(totals.receives, "outcome", "outcomes"),
                     percent(totals.receives, totals.receives + totals.free),
                     counted(totals.completed, "receive of any kind", "receives of any kind"),
                     percent(totals.receives, totals.completed));
}

std::string receives_text(Totals const& totals, std::uint64_t bytes) {
  auto const receives = totals.receives + totals.free;
  auto text = counted(receives, "wildcard receive", "wildcard receives");
  if (totals.completed != 0) text += kept_text(totals);
  if (receives != 0)
    text += fmt::format(" in {} ({:.2f} per receive)", counted(bytes, "byte", "bytes"),
                        static_cast<double>(bytes) / static_cast<double>(receives));
  if (totals.looks != 0) text += ", " + counted(totals.looks, "probe or test", "probes and tests");
  if (totals.misses != 0) text += ", " + counted(totals.misses, "fruitless one", "fruitless ones");
  if (totals.clocks != 0) text += ", " + counted(totals.clocks, "clock read", "clock reads");
  return text;
}

/// One file, as text.
class Shown {
 public:
  Shown(std::string const& path, ShowOptions const& options, bool was_quiescent)
      : reader_(path),
        options_(options),
        name_(to_text(reader_.rank())),
        stood_still_(was_quiescent) {}

  TraceReader const& file() const { return reader_; }
  bool print();

 private:
  void print_outcome(Outcome const& outcome);
  std::string ending_text();
  /// With --keep, once something has been dropped.
  std::string kept_from_text() const {
    if (!reader_.prefix()) return {};
    return fmt::format(" (kept from call {})", reader_.prefix()->first_event());
  }

  TraceReader reader_;
  ShowOptions const& options_;
  std::string name_;
  bool stood_still_;  ///< EXEC ended the job because no process could continue
  Describer describer_;
  Totals totals_;
};

bool Shown::print() {
  while (auto const outcomes = reader_.next())
    for (auto const& outcome : *outcomes) print_outcome(outcome);
  auto const& end = reader_.ending();
  totals_.misses += end.misses;
  if (reader_.rank() == exec_rank)
    fmt::print("  EXEC: {}, {} of standard input, {}\n",
               counted(totals_.served, "request", "requests"),
               counted(totals_.input, "byte", "bytes"), ending_text());
  else
    fmt::print("  {}: {}{}, {}, {}\n", name_, counted(end.events, "call", "calls"),
               kept_from_text(), receives_text(totals_, reader_.stored_bytes()), ending_text());
  for (auto const& gap : end.gaps)
    fmt::print("    damaged: {} at offset {} cannot be read, {} lost after event {}\n",
               counted(gap.bytes, "byte", "bytes"), gap.offset,
               counted(gap.frames, "frame", "frames"), gap.after_event);
  return end.complete;
}

void Shown::print_outcome(Outcome const& outcome) {
  if (describer_.learn(outcome)) return;
  totals_.count(outcome);
  // A hash is of no use to a reader.
  if (options_.outcomes && outcome.what != OutcomeKind::hash && !is_of_checks(outcome.what))
    fmt::print("    {} {}\n", name_, describer_.line(outcome));
}

std::string Shown::ending_text() {
  auto const& end = reader_.ending();
  if (end.complete) {
    if (end.unreceived == 0) return "complete";
    return "complete, " + counted(end.unreceived, "message", "messages") + " never received";
  }
  if (!end.note.empty()) {
    auto note = end.note;
    note.erase(note.find_last_not_of('\n') + 1);
    return "cut short by the recorder (" + note + ")";
  }
  if (!end.gaps.empty()) return "damaged";
  if (reader_.rank() == exec_rank) return "cut (EXEC was killed)";
  auto text = fmt::format(
      "{} after event {}",
      stood_still_ ? "ended by Earl (a deadlock" : "cut (the process was killed", end.events);
  if (totals_.last_site != no_site)
    text += fmt::format("; the last outcome is of event {}, {}", totals_.last_event,
                        describer_.site(totals_.last_site));
  if (end.misses != 0)
    text += fmt::format("; {} no were the last", counted(end.misses, "answer", "answers"));
  return text + ")";
}

/// Whether the file belongs to this place in this recording; says so if not.
bool belongs(TraceReader const& file, Rank rank, Meta const& meta) {
  if (file.run() != meta.run)
    fmt::print("  {}: {} is of another recording: its run id is {}, not {}\n", to_text(rank),
               file.path(), to_text(file.run()), to_text(meta.run));
  else if (file.rank() != rank)
    fmt::print("  {}: {} is the record of {}\n", to_text(rank), file.path(), to_text(file.rank()));
  else
    return true;
  return false;
}

/// The output for one recording.
struct Whole {
  Meta meta;
  std::optional<RunEnd> end;  ///< null: EXEC was killed
  bool was_quiescent() const { return end && !end->standstill.empty(); }
};

bool show_file(std::string const& path, Rank rank, Whole const& all, ShowOptions const& options) {
  if (!fs::exists(path)) {
    fmt::print("  {}: no record: it ended before its first call, or its file was removed\n",
               to_text(rank));
    return false;
  }
  try {
    Shown shown(path, options, all.was_quiescent());
    return belongs(shown.file(), rank, all.meta) && shown.print();
  } catch (Error const& error) {
    fmt::print("  {}: {}\n", to_text(rank), error.what());
    return false;
  }
}

}  // namespace

int show(std::string const& path, ShowOptions const& options) {
  const Whole all{.meta = read_meta(path), .end = read_end(path)};
  auto const& info = all.meta.job;
  auto const ranks = ranks_in(path, all.meta);
  if (options.rank >= 0 && !ranks.contains(options.rank))
    throw Error("{} has no rank {}: it has {}, 0 to {}", path, options.rank,
                counted(ranks.size(), "rank", "ranks"), *ranks.rbegin());
  auto const spawned = ranks.size() - info.initial;
  fmt::print("{}: {}{} recorded on {} by Earl {}\n  command: {}\n", path,
             counted(info.initial, "process", "processes"),
             spawned == 0 ? "" : fmt::format(" and {} spawned", spawned), info.back_end,
             all.meta.version, fmt::join(info.command, " "));
  if (!info.settings.empty()) fmt::print("  settings: {}\n", fmt::join(info.settings, " "));
  if (all.end) fmt::print("  exit code: {}\n", all.end->exit_code);
  bool whole = true;
  for (auto const rank : ranks)
    if (options.rank < 0 || options.rank == rank)
      whole = show_file(rank_path(path, Rank{rank}), Rank{rank}, all, options) && whole;
  if (options.rank < 0) whole = show_file(exec_path(path), exec_rank, all, options) && whole;
  if (!whole) fmt::print("incomplete: it can be replayed up to where each record ends\n");
  if (all.was_quiescent()) fmt::print("{}\n", all.end->standstill);
  std::fflush(stdout);
  return whole ? 0 : 1;
}

std::string Summary::text() const {
  return fault.empty() ? fmt::format("{:<9} {:<8} {}", verdict, back_end, fmt::join(command, " "))
                       : fault;
}

Summary summary(std::string const& folder) {
  try {
    auto const meta = read_meta(folder);
    auto const end = read_end(folder);
    Summary found{.verdict = "no end", .back_end = meta.job.back_end, .command = meta.job.command};
    if (!end) return found;
    found.exit_code = end->exit_code;
    found.verdict = end->standstill.empty() ? fmt::format("exit {}", end->exit_code) : "deadlock";
    return found;
  } catch (std::exception const& error) {
    return {.fault = error.what()};
  }
}

}  // namespace earl::trace
