// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/show.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "debug/trace/describe.hpp"
#include "debug/trace/meta.hpp"
#include "debug/trace/record_summary.hpp"
#include "debug/trace/trace_file.hpp"
#include "generic/base/error.hpp"

namespace earl::trace {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

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

/// With --keep, once something has been dropped.
std::string kept_from_text(TraceReader const& file) {
  if (!file.prefix()) return {};
  return fmt::format(" (kept from call {})", file.prefix()->first_event());
}

void print(RecordSummary& record) {
  auto const& file = record.file();
  auto const& end = file.ending();
  auto const& totals = record.totals();
  if (file.rank() == exec_rank)
    fmt::print("  EXEC: {}, {} of standard input, {}\n",
               counted(totals.served, "request", "requests"),
               counted(totals.input, "byte", "bytes"), record.ending_text());
  else
    fmt::print("  {}: {}{}, {}, {}\n", to_text(file.rank()), counted(end.events, "call", "calls"),
               kept_from_text(file), receives_text(totals, file.stored_bytes()),
               record.ending_text());
  for (auto const& gap : end.gaps)
    fmt::print("    damaged: {} at offset {} cannot be read, {} lost after event {}\n",
               counted(gap.bytes, "byte", "bytes"), gap.offset,
               counted(gap.frames, "frame", "frames"), gap.after_event);
}

json as_json(RecordSummary& record) {
  auto const& file = record.file();
  auto const& end = file.ending();
  auto const& totals = record.totals();
  json made = {{"complete", end.complete}, {"ending", record.ending_text()}};
  if (file.rank() == exec_rank) {
    made["requests"] = totals.served;
    made["input_bytes"] = totals.input;
  } else {
    made["calls"] = end.events;
    made["wildcard_receives"] = totals.receives + totals.free;
    made["bytes"] = file.stored_bytes();
    made["probes_and_tests"] = totals.looks;
    made["fruitless"] = totals.misses;
    made["clock_reads"] = totals.clocks;
    made["unreceived"] = end.unreceived;
  }
  if (totals.completed != 0) {
    made["outcomes_kept"] = totals.receives;
    made["receives"] = totals.completed;
  }
  if (file.prefix()) made["kept_from"] = file.prefix()->first_event();
  for (auto const& gap : end.gaps)
    made["damaged"].push_back({{"offset", gap.offset},
                               {"bytes", gap.bytes},
                               {"frames", gap.frames},
                               {"after_event", gap.after_event}});
  return made;
}

/// The reason why the file has no place in this recording; empty: it has.
std::string objection_to(TraceReader const& file, Rank rank, Meta const& meta) {
  if (file.run() != meta.run)
    return fmt::format("{} is of another recording: its run id is {}, not {}", file.path(),
                       to_text(file.run()), to_text(meta.run));
  if (file.rank() != rank)
    return fmt::format("{} is the record of {}", file.path(), to_text(file.rank()));
  return {};
}

/// One recording, and the ranks in it.
struct Whole {
  std::string path;
  Meta meta;
  std::optional<RunEnd> end;  ///< null: EXEC was killed
  std::set<std::int32_t> ranks;
  bool was_quiescent() const { return end && !end->standstill.empty(); }
  std::size_t spawned() const { return ranks.size() - meta.job.initial; }
};

Whole read_whole(std::string const& path, ShowOptions const& options) {
  Whole all{.path = path, .meta = read_meta(path), .end = read_end(path), .ranks = {}};
  all.ranks = ranks_in(path, all.meta);
  if (options.rank >= 0 && !all.ranks.contains(options.rank))
    throw Error("{} has no rank {}: it has {}, 0 to {}", path, options.rank,
                counted(all.ranks.size(), "rank", "ranks"), *all.ranks.rbegin());
  return all;
}

/// Receives what is in the files of a recording.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void outcome(Rank rank, std::string const& line) = 0;
  virtual void summary(RecordSummary& record) = 0;
  /// There is nothing to be read for this process.
  virtual void fault(Rank rank, std::string const& sentence) = 0;
};

bool read_file(std::string const& path, Rank rank, Whole const& all, ShowOptions const& options,
               Sink& sink) {
  try {
    if (!fs::exists(path))
      throw Error("no record: it ended before its first call, or its file was removed");
    RecordSummary record(path, all.was_quiescent());
    if (auto const objection = objection_to(record.file(), rank, all.meta); !objection.empty())
      throw Error("{}", objection);
    record.read([&](std::string const& line) {
      if (options.outcomes) sink.outcome(rank, line);
    });
    sink.summary(record);
    return record.file().ending().complete;
  } catch (Error const& error) {
    sink.fault(rank, error.what());
    return false;
  }
}

/// Whether all is there.
bool read_files(Whole const& all, ShowOptions const& options, Sink& sink) {
  bool whole = true;
  for (auto const rank : all.ranks)
    if (options.rank < 0 || options.rank == rank)
      whole = read_file(rank_path(all.path, Rank{rank}), Rank{rank}, all, options, sink) && whole;
  if (options.rank >= 0) return whole;
  return read_file(exec_path(all.path), exec_rank, all, options, sink) && whole;
}

class TextSink : public Sink {
 public:
  void outcome(Rank rank, std::string const& line) override {
    fmt::print("    {} {}\n", to_text(rank), line);
  }
  void summary(RecordSummary& record) override { print(record); }
  void fault(Rank rank, std::string const& sentence) override {
    fmt::print("  {}: {}\n", to_text(rank), sentence);
  }
};

class JsonSink : public Sink {
 public:
  void outcome(Rank, std::string const& line) override { lines_.push_back(line); }
  void summary(RecordSummary& record) override { put(record.file().rank(), as_json(record)); }
  void fault(Rank rank, std::string const& sentence) override {
    put(rank, {{"complete", false}, {"fault", sentence}});
  }
  json ranks = json::array();
  json exec{};

 private:
  void put(Rank rank, json made) {
    if (!lines_.empty()) made["outcomes"] = std::exchange(lines_, {});
    if (rank == exec_rank) {
      exec = std::move(made);
      return;
    }
    made["rank"] = index(rank);
    ranks.push_back(std::move(made));
  }
  std::vector<std::string> lines_;
};

}  // namespace

int show(std::string const& path, ShowOptions const& options) {
  auto const all = read_whole(path, options);
  auto const& info = all.meta.job;
  fmt::print("{}: {}{} recorded on {} by Earl {}\n  command: {}\n", path,
             counted(info.initial, "process", "processes"),
             all.spawned() == 0 ? "" : fmt::format(" and {} spawned", all.spawned()), info.back_end,
             all.meta.version, fmt::join(info.command, " "));
  if (!info.settings.empty()) fmt::print("  settings: {}\n", fmt::join(info.settings, " "));
  if (all.end) fmt::print("  exit code: {}\n", all.end->exit_code);
  TextSink sink;
  bool const whole = read_files(all, options, sink);
  if (!whole) fmt::print("incomplete: it can be replayed up to where each record ends\n");
  if (all.was_quiescent()) fmt::print("{}\n", all.end->standstill);
  std::fflush(stdout);
  return whole ? 0 : 1;
}

json as_json(std::string const& path, ShowOptions const& options) {
  auto const all = read_whole(path, options);
  auto const& info = all.meta.job;
  JsonSink sink;
  bool const whole = read_files(all, options, sink);
  json made = {{"directory", path},
               {"processes", info.initial},
               {"spawned", all.spawned()},
               {"back_end", info.back_end},
               {"version", all.meta.version},
               {"command", info.command},
               {"settings", info.settings},
               {"exit_code", nullptr},
               {"complete", whole},
               {"deadlock", all.was_quiescent() ? all.end->standstill : ""},
               {"ranks", std::move(sink.ranks)},
               {"exec", std::move(sink.exec)}};
  if (all.end) made["exit_code"] = all.end->exit_code;
  return made;
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
