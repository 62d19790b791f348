#include "debug/replay/replay.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <unordered_set>

#include "debug/replay/abroad.hpp"
#include "debug/replay/cuts.hpp"
#include "debug/replay/replayer.hpp"
#include "debug/trace/describe.hpp"
#include "debug/trace/meta.hpp"
#include "debug/trace/modules.hpp"
#include "debug/trace/trace_file.hpp"
#include "generic/error.hpp"
#include "generic/standing.hpp"

namespace earl {

using trace::What;

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
  if (auto why = unreadable(path)) return replay::Recording::none(std::move(*why));
  return replay::Recording(path, rank, trace::read_meta(folder).run);
}

std::unique_ptr<Interceptor> in_process(std::string_view argument, Host& host) {
  return std::make_unique<replay::Replayer>(record_of(std::string{argument}, host.rank()), host);
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

/// EXEC takes requests, deaths and what is printed in in the recorded order: an early one waits.
class JobReplayer final : public JobInterceptor, public StandstillJudge {
 public:
  JobReplayer(std::string folder, trace::Meta const& meta) : folder_(std::move(folder)) {
    auto const path = trace::exec_path(folder_);
    if (auto const why = unreadable(path)) {
      warn(*why + "; the order of EXEC's answers is not replayed");
      return;
    }
    reader_.emplace(path);
    if (reader_->run() != meta.run)
      throw Error("{} is of another recording than its meta.json", path);
  }

  bool may_serve(Rank from, std::uint32_t operation) override {
    auto const* due = next();
    // Behind the end of a record nobody is held up: the processes themselves know where to stop.
    return due == nullptr ||
           (due->what == What::served && due->id.source == from && due->count == operation);
  }
  bool may_tell_death(Rank rank) override {
    auto const* due = next();
    return due == nullptr || (due->what == What::died && due->id.source == rank);
  }
  void served(Rank, std::uint32_t, Bytes) override { pass(); }
  void died(Rank, int) override { pass(); }
  bool may_tell_output(OutputPiece& piece) override {
    auto const* due = next();
    return due == nullptr || (due->what == What::printed && due->id.source == piece.writer &&
                              due->count == piece.stream && cut(piece, *due));
  }
  void told_output(OutputPiece const&) override { pass(); }
  /// Who was killed after a request of his had left may be killed before it this time.
  bool gives_up(std::span<Rank const> dead) override {
    auto const* due = next();
    if (due == nullptr || due->what != What::served || !std::ranges::count(dead, due->id.source))
      return false;
    pass();
    return true;
  }

  std::optional<Standing> stands_still(std::span<Halted const>) override {
    auto const cut = replay::cuts_in(folder_);
    if (!cut.empty())
      return Standing{0, "replayed as far as the recording goes: no process can go on; " + cut};
    auto const* due = next();
    auto const missing =
        due == nullptr ? "" : "; next in the recording: " + trace::result_in_words(*due);
    return Standing{replay::diverged_code, "replay diverged: no process can go on" + missing};
  }

  int finished(int exit_code) override {
    // Who is ended with the rest of a job dies in any order.
    while (next() != nullptr && next()->what == What::died) pass();
    auto const* left = next();
    if (left == nullptr || exit_code != 0 || !replay::cuts_in(folder_).empty()) return exit_code;
    warn("replay diverged: this run did not come to where the recording says: " +
         trace::result_in_words(*left));
    return replay::diverged_code;
  }

 private:
  /// The next of these in the record; null: no more.
  trace::Outcome const* next() {
    for (;; ++at_) {
      while (at_ >= outcomes_.size()) {
        auto more = reader_ ? reader_->next() : std::nullopt;
        if (!more || reader_->met_gap()) return nullptr;
        outcomes_ = std::move(*more);
        at_ = 0;
      }
      if (trace::is_of_exec(outcomes_[at_].what)) return &outcomes_[at_];
    }
  }
  void pass() {
    if (next() != nullptr) ++at_;
  }

  std::string folder_;
  std::optional<trace::TraceReader> reader_;  ///< null: there is nothing to read
  std::vector<trace::Outcome> outcomes_;
  std::size_t at_ = 0;
};

/// Another build of a program may still replay; its user should know.
void compare_programs(trace::Meta const& then, JobStory const& story) {
  trace::Meta now;
  now.story = story;
  trace::note_programs(now);
  for (std::size_t i = 0; i < then.programs.size() && i < now.programs.size(); ++i)
    if (then.build_ids.size() > i && then.build_ids[i] != now.build_ids[i])
      warn(
          fmt::format("{} is not the program that was recorded: it was built anew; the replay may "
                      "diverge",
                      now.programs[i]));
}

std::unique_ptr<JobInterceptor> in_exec(std::string_view argument, JobStory const& story) {
  const std::string folder{argument};
  auto const meta = trace::read_meta(folder);
  if (meta.story.initial != story.initial)
    throw Error("{} was recorded with {} processes and cannot be replayed with {}", folder,
                meta.story.initial, story.initial);
  compare_programs(meta, story);
  return std::make_unique<JobReplayer>(folder, meta);
}

}  // namespace

constinit Tool const replay_tool{.name = "replay",
                                 .summary = "gives the run of a recording again",
                                 .in_process = in_process,
                                 .in_exec = in_exec,
                                 .abroad = &replay::abroad};

}  // namespace earl
