#include "debug/record/record.hpp"

#include <filesystem>

#include "debug/record/abroad.hpp"
#include "debug/record/recorder.hpp"
#include "debug/trace/crc32c.hpp"
#include "debug/trace/meta.hpp"
#include "debug/trace/reader.hpp"
#include "generic/error.hpp"

namespace earl {

namespace {

/// Longer frames pay when there are many sources to tell apart.
constexpr std::uint32_t many_processes = 64;
constexpr std::uint32_t short_frame = 16U << 10;
constexpr std::uint32_t long_frame = 64U << 10;

std::unique_ptr<Interceptor> in_process(std::string_view argument, Host& host) {
  const std::string folder{argument};
  const trace::TraceReader job(trace::exec_path(folder));
  return std::make_unique<record::Recorder>(trace::TraceFileOptions{
      .path = trace::rank_path(folder, host.rank()),
      .rank = host.rank(),
      .run = job.run(),
      .initial = host.initial_size(),
      .tail_room = host.initial_size() > many_processes ? long_frame : short_frame});
}

/// The order in which EXEC serves requests, sees processes end and tells of what they print.
class JobRecorder final : public JobInterceptor {
 public:
  explicit JobRecorder(trace::TraceFileOptions options) : writer_(std::move(options)) {}

  void served(Rank from, std::uint32_t operation, Bytes request) override {
    trace::Outcome outcome;
    outcome.what = trace::What::served;
    outcome.id.source = from;
    outcome.count = operation;
    outcome.value = trace::crc32c(request);
    put(outcome);
  }

  void died(Rank rank, int wait_status) override {
    trace::Outcome outcome;
    outcome.what = trace::What::died;
    outcome.id.source = rank;
    outcome.value = wait_status;
    put(outcome);
  }

  void told_output(OutputPiece const& piece) override {
    trace::Outcome outcome;
    outcome.what = trace::What::printed;
    outcome.id.source = piece.writer;
    outcome.count = piece.stream;
    outcome.value = static_cast<std::int64_t>(piece.bytes);
    put(outcome);
  }

  int finished(int exit_code) override {
    writer_.finish(events_, 0, 0);
    return exit_code;
  }

 private:
  void put(trace::Outcome const& outcome) {
    writer_.event(++events_);
    writer_.put(outcome);
  }

  trace::TraceWriter writer_;
  std::uint64_t events_ = 0;
};

std::unique_ptr<JobInterceptor> in_exec(std::string_view argument, JobStory const& story) {
  const std::string folder{argument};
  if (folder.empty()) throw Error("record: no name was given for the recording");
  trace::Meta meta;
  meta.story = story;
  meta.version = EARL_VERSION;
  meta.run = trace::new_run_id();
  meta.folder = std::filesystem::current_path().string();
  trace::note_programs(meta);
  trace::create_recording(folder, meta);
  return std::make_unique<JobRecorder>(trace::TraceFileOptions{.path = trace::exec_path(folder),
                                                               .rank = exec_rank,
                                                               .run = meta.run,
                                                               .initial = story.initial,
                                                               .kind = trace::FrameKind::job});
}

}  // namespace

constinit Tool const record_tool{.name = "record",
                                 .summary = "records the order of everything that timing decides",
                                 .in_process = in_process,
                                 .in_exec = in_exec,
                                 .abroad = &record::abroad};

}  // namespace earl
