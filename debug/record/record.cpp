// SPDX-License-Identifier: BSD-3-Clause
#include "debug/record/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "debug/record/argument.hpp"
#include "debug/record/multi_host.hpp"
#include "debug/record/recorder.hpp"
#include "debug/trace/codec.hpp"
#include "debug/trace/meta.hpp"
#include "debug/trace/reader.hpp"
#include "generic/base/crc32c.hpp"
#include "generic/base/error.hpp"
#include "generic/seams/standstill_judge.hpp"
#include "generic/system/standard_input.hpp"

namespace earl {

namespace {

/// Longer frames pay when there are many sources to distinguish.
constexpr std::uint32_t many_processes = 64;
constexpr std::uint32_t short_frame = 16U << 10;
constexpr std::uint32_t long_frame = 64U << 10;
/// Limit of standard input, bytes.
constexpr std::size_t most_input = 64U << 20;

std::unique_ptr<Interceptor> in_process(std::string_view argument, DebuggedProcess& process) {
  const record::Argument wanted{argument};
  const trace::TraceReader job(trace::exec_path(wanted.folder));
  return std::make_unique<record::Recorder>(
      process,
      trace::TraceFileOptions{
          .path = trace::rank_path(wanted.folder, process.rank()),
          .rank = process.rank(),
          .run = job.run(),
          .initial = process.initial_size(),
          .tail_room = process.initial_size() > many_processes ? long_frame : short_frame,
          .keep = wanted.keep},
      wanted.minimal);
}

/// The order in which EXEC serves requests, sees processes end and delivers output to subscribers.
class JobRecorder final : public JobInterceptor, public InputListener, public StandstillListener {
 public:
  JobRecorder(std::string folder, trace::TraceFileOptions options)
      : folder_(std::move(folder)), writer_(std::move(options)) {}

  void served(Rank from, std::uint32_t operation, Bytes request) override {
    trace::Outcome outcome;
    outcome.what = trace::OutcomeKind::served;
    outcome.id.source = from;
    outcome.count = operation;
    outcome.value = crc32c(request);
    put(outcome);
  }

  void died(Rank rank, int wait_status) override {
    trace::Outcome outcome;
    outcome.what = trace::OutcomeKind::died;
    outcome.id.source = rank;
    outcome.value = wait_status;
    put(outcome);
  }

  void output_delivered(OutputPiece const& piece) override {
    trace::Outcome outcome;
    outcome.what = trace::OutcomeKind::printed;
    outcome.id.source = piece.writer;
    outcome.count = piece.stream;
    outcome.value = static_cast<std::int64_t>(piece.bytes);
    put(outcome);
  }

  Rank choose_rank(Rank rank, Rank next) override {
    if (rank == next) return rank;
    trace::Outcome outcome;
    outcome.what = trace::OutcomeKind::named;
    outcome.id.source = rank;
    put(outcome);
    return rank;
  }

  void input(Bytes piece) override {
    auto const kept = piece.first(std::min<std::size_t>(piece.size(), most_input - kept_));
    kept_ += kept.size();
    for (auto rest = kept; !rest.empty();) {
      auto const part = rest.first(std::min(rest.size(), trace::most_text));
      put_input(part, false);
      rest = rest.subspan(part.size());
    }
    if (kept.size() == piece.size() || std::exchange(input_cut_, true)) return;
    put_input({}, true);
    fmt::print(stderr,
               "earl: standard input is longer than {} MiB: the recording keeps so much of it, and "
               "a replay reads an end there\n",
               most_input >> 20);
  }

  void quiescence_judged(StandstillVerdict const& found) override {
    end_.standstill = found.sentence;
    end_.waits = found.waits;
  }

  void failed(Rank rank, std::string_view why) override {
    end_.failed = number(rank);
    end_.why = why;
  }

  int finished(int exit_code) override {
    end_.exit_code = exit_code;
    try {
      trace::write_end(folder_, end_);
    } catch (std::exception const& error) {
      fmt::print(stderr, "earl: {}; the recording does not say how the run ended\n", error.what());
    }
    writer_.finish(events_, 0, 0);
    return exit_code;
  }

 private:
  void put(trace::Outcome const& outcome) {
    writer_.event(++events_);
    writer_.put(outcome);
  }
  void put_input(Bytes part, bool cut) {
    trace::Outcome outcome;
    outcome.what = trace::OutcomeKind::input;
    outcome.count = cut ? 1 : 0;
    outcome.text.assign(reinterpret_cast<char const*>(part.data()), part.size());
    writer_.put(outcome);
  }

  std::string folder_;
  trace::TraceWriter writer_;
  trace::RunEnd end_;
  std::size_t kept_ = 0;  ///< bytes of standard input
  bool input_cut_ = false;
  std::uint64_t events_ = 0;
};

std::unique_ptr<JobInterceptor> in_exec(std::string_view argument, JobInfo const& info) {
  const record::Argument wanted{argument};
  auto const& folder = wanted.folder;
  if (folder.empty()) throw Error("record: no name was given for the recording");
  trace::Meta meta;
  meta.job = info;
  meta.minimal = wanted.minimal;
  meta.keep = wanted.keep;
  meta.version = EARL_VERSION;
  meta.run = trace::new_run_id();
  meta.folder = std::filesystem::current_path().string();
  trace::note_programs(meta);
  trace::create_recording(folder, meta);
  return std::make_unique<JobRecorder>(folder,
                                       trace::TraceFileOptions{.path = trace::exec_path(folder),
                                                               .rank = exec_rank,
                                                               .run = meta.run,
                                                               .initial = info.initial,
                                                               .kind = trace::FrameKind::job});
}

}  // namespace

constinit Tool const record_tool{.name = "record",
                                 .summary = "records the order of everything that timing decides",
                                 .in_process = in_process,
                                 .in_exec = in_exec,
                                 .multi_host = &record::multi_host,
                                 .fixed_addresses = true};

}  // namespace earl
