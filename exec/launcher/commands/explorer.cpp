// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/commands/explorer.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "debug/analyse/history.hpp"
#include "debug/analyse/load.hpp"
#include "debug/analyse/steer.hpp"
#include "debug/events/reader.hpp"
#include "debug/events/writer.hpp"
#include "debug/explore/checkpoint.hpp"
#include "debug/explore/differences.hpp"
#include "debug/explore/matching.hpp"
#include "debug/explore/outcome.hpp"
#include "debug/explore/shrink.hpp"
#include "debug/trace/meta.hpp"
#include "debug/trace/path.hpp"
#include "debug/trace/reader.hpp"
#include "exec/launcher/children/cleanup_watchdog.hpp"
#include "exec/launcher/children/mark.hpp"
#include "exec/launcher/commands/events_of.hpp"
#include "exec/launcher/commands/run.hpp"
#include "exec/launcher/resources/processors.hpp"
#include "generic/base/error.hpp"

namespace earl::exec {

namespace fs = std::filesystem;
using trace::Path;
using trace::PathStep;

namespace {

constexpr int deadlocked = 86;
constexpr int cut = 85;
constexpr int timed_out = 124;
constexpr std::size_t most_questions_of_shrinking = 60;
constexpr int times_to_be_sure = 3;
constexpr std::uint32_t random_runs = 10;
constexpr int most_refused_forks = 3;
constexpr std::size_t most_runs_at_once = 16;
constexpr double least_run_seconds = 10;
constexpr double slower_than_first = 4;
constexpr std::size_t least_for_checkpoint = 5;  ///< trials
constexpr std::size_t most_checkpoints = 16;
constexpr double part_for_fork = 0.2;  ///< of the time that a run may take, at least
constexpr char const* memory_folder = "/dev/shm";
constexpr std::uint64_t least_memory = 256U << 20;

volatile std::sig_atomic_t interrupted = 0;

/// While it lives, Ctrl-C ends the run under way and then the search.
class InterruptWatch {
 public:
  InterruptWatch() {
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = 1; };
    ::sigaction(SIGINT, &action, &before_);
  }
  ~InterruptWatch() { ::sigaction(SIGINT, &before_, nullptr); }
  InterruptWatch(InterruptWatch const&) = delete;
  InterruptWatch& operator=(InterruptWatch const&) = delete;

 private:
  struct sigaction before_ {};
};

/// The same whichever process wrote first.
std::string sorted_lines(std::string const& text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size();) {
    auto const end = std::min(text.find('\n', at), text.size());
    lines.push_back(std::string_view(text).substr(at, end - at));
    at = end + 1;
  }
  std::ranges::sort(lines);
  std::string sorted;
  for (auto const& line : lines) sorted += std::string{line} + "\n";
  return sorted;
}

/// Numbers of processes, of runs and the like are no difference.
std::string without_numbers(std::string_view text) {
  std::string marked;
  for (char const letter : text) {
    bool const digit = letter >= '0' && letter <= '9';
    if (!digit) marked += letter;
    if (digit && (marked.empty() || marked.back() != '#')) marked += '#';
  }
  return marked;
}

/// In memory, where that has room: a run's files are many and live shortly.
fs::path place_for_recordings() {
  struct statvfs facts {};
  bool const chosen = std::getenv("TMPDIR") != nullptr;
  if (chosen || ::statvfs(memory_folder, &facts) != 0 || ::access(memory_folder, W_OK) != 0 ||
      facts.f_bavail * facts.f_frsize < least_memory)
    return fs::temp_directory_path();
  return memory_folder;
}

std::string temporary_folder() {
  auto const place = place_for_recordings();
  auto path = (place / "earl-explore-XXXXXX").string();
  if (!::mkdtemp(path.data()))
    throw Error("cannot make a directory for recordings in {}: {}", place.string(),
                system_message(errno));
  return path;
}

/// One process has one at least: a run that the user ends at once may have files and nothing in
/// them.
bool has_record(std::string const& folder) {
  if (!events::has_events(folder)) return false;
  return std::ranges::any_of(events::ranks_with_events(folder), [&](std::int32_t rank) {
    return !trace::lacks_header(events::events_path(folder, Rank{rank}));
  });
}

/// Runs that may be under way beside the one that the search waits for: two for each processor, as
/// the one or the other waits for a fork or for the search.
std::size_t runs_ahead() {
  auto const own = own_processors();
  return std::min(2 * static_cast<std::size_t>(CPU_COUNT(&own)), most_runs_at_once) - 1;
}

void enter(std::string const& folder) {
  if (!folder.empty() && ::chdir(folder.c_str()) != 0)
    throw Error("the recorded run's directory {}: {}", folder, system_message(errno));
}

}  // namespace

Explorer::Explorer(ExplorePlan plan)
    : plan_(std::move(plan)),
      temporary_(temporary_folder()),
      runs_ahead_(runs_ahead()),
      watchdog_(start_cleanup_watchdog(new_mark(), temporary_)) {}

Explorer::~Explorer() {
  branches_.reset();  // its processes write there
  std::error_code failed;
  fs::remove_all(temporary_, failed);
  if (watchdog_ == 0) return;
  ::kill(watchdog_, SIGKILL);
  await_exit(watchdog_);
}

double Explorer::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begun_).count();
}

void Explorer::explore() {
  const InterruptWatch watch;
  if (!plan_.outputs.empty()) fs::create_directories(plan_.outputs);
  record_base();
  try_orders();
  if (stopped_by_.empty() && !tried_all()) try_at_random();
}

bool Explorer::tried_all() const {
  auto const& coverage = search_.coverage();
  return stopped_by_.empty() && !disturbed_ && coverage.unforceable == 0;
}

bool Explorer::may_go_on() {
  if (interrupted != 0)
    stopped_by_ = "interrupt";
  else if (runs_ >= plan_.most_runs)
    stopped_by_ = "--runs";
  else if (seconds() >= plan_.most_seconds)
    stopped_by_ = "--seconds";
  else if (failures_.size() >= plan_.most_failures)
    stopped_by_ = "--failures";
  return stopped_by_.empty();
}

std::string Explorer::new_folder() { return fmt::format("{}/{}", temporary_, folders_made_++); }

void Explorer::remove_recording(std::string const& folder) {
  std::error_code failed;
  if (folder != base_) fs::remove_all(folder, failed);
}

/// The first run, which is kept: paths are meant from there.
void Explorer::record_base() {
  Run run;
  run_seconds_ = plan_.run_seconds.value_or(plan_.most_seconds);
  auto const before = seconds();
  if (plan_.job) {
    auto job = *plan_.job;
    base_ = fs::absolute(plan_.recording.folder).lexically_normal().string();
    job.tools.push_back({.name = "events", .argument = base_});
    if (!job.timeout) job.timeout = std::chrono::duration<double>(plan_.most_seconds);
    run.ended = run_in_child([&] { return run_plan(job); }, true);
    ++runs_;
    if (!has_record(base_))
      throw Error("the first run has no record: {}",
                  run.ended.said.empty() ? "it was killed" : run.ended.said);
    known_.push_back({.folder = base_});
  } else {
    base_ = whole_events_of(plan_.recording);
    known_.push_back({.folder = base_});
    run = run_from(0, {});
    if (run.ended.exit_code == diverged || run.ended.exit_code == cut)
      throw Error("{} cannot be replayed: {}", plan_.recording.folder, run.ended.said);
  }
  run.folder = base_;
  auto const first = seconds() - before;
  if (!plan_.run_seconds) run_seconds_ = std::max(least_run_seconds, slower_than_first * first);
  fork_seconds_ =
      std::min(run_seconds_, std::max(part_for_fork * run_seconds_, slower_than_first * first));
  base_output_ = sorted_lines(text_of(run.ended.output));
  base_history_ = analyse::load_history(base_);
  run.history = base_history_;
  search_.add(0, run.history);
  write_output(run);
  if (auto failure = judge(run)) note(std::move(*failure), run);
}

void Explorer::try_orders() {
  while (may_go_on()) {
    auto trial = search_.next();
    if (!trial) return;
    if (may_fork()) make_checkpoint(*trial);
    auto run = run_from(trial->run, trial->path);
    auto flips = known_[trial->run].flips;
    flips.push_back(trial->step);
    if (did_otherwise(run, trial->path)) {
      search_.failed();
      auto const code = run.ended.exit_code;
      disturbed_ = disturbed_ || code == diverged || code == cut || code == timed_out;
    } else {
      add_run(run, flips, checkpoints_before(trial->run, trial->path));
    }
    if (search_.left(trial->run) == 0) remove_recording(known_[trial->run].folder);
    if (known_.back().folder != run.folder) remove_recording(run.folder);
  }
}

/// Decisions that no replay can make: as they come, or in the order of other seeds.
void Explorer::try_at_random() {
  Path free;
  for (std::uint32_t rank = 0; rank < base_history_.ranks.size(); ++rank)
    free.push_back({.rank = Rank{static_cast<std::int32_t>(rank)}, .of = PathStep::Of::call});
  for (std::uint32_t seed = 1; seed <= random_runs && may_go_on(); ++seed) {
    auto run = run_from(0, free, seed);
    if (!did_otherwise(run, {})) add_run(run, {}, {});
    if (known_.back().folder != run.folder) remove_recording(run.folder);
    try_orders();
  }
}

std::string Explorer::replay_argument(std::string const& from, Path const& path) const {
  auto const& argument = plan_.replay.plan.tools.front().argument;
  auto const contents = argument.substr(0, argument.size() - plan_.replay.recording.size());
  return (path.empty() ? "" : fmt::format("path={}|", trace::to_text(path))) + contents + from;
}

/// The replay is the first.
std::vector<control::ToolUse> Explorer::tools_for(std::string const& from, Path const& path,
                                                  std::string const& into) const {
  auto tools = plan_.replay.plan.tools;
  tools.front().argument = replay_argument(from, path);
  tools.push_back({.name = "record", .argument = into});
  tools.push_back({.name = "events", .argument = into});
  return tools;
}

int Explorer::replay_in_child(std::vector<control::ToolUse> const& tools,
                              std::uint32_t seed) const {
  auto job = plan_.replay.plan;
  job.tools = tools;
  job.timeout = std::chrono::duration<double>(run_seconds_);
  if (seed != 0) job.seed = seed;
  enter(plan_.replay.folder);
  return run_plan(std::move(job));
}

Explorer::Run Explorer::run_from(std::size_t from, Path const& path, std::uint32_t seed) {
  ++runs_;
  know_replay();
  if (!path.empty() && seed == 0 && may_fork())
    if (auto forked = run_by_fork(from, path)) return std::move(*forked);
  Run run{.folder = new_folder()};
  auto const tools = tools_for(known_[from].folder, path, run.folder);
  run.ended = run_in_child([&] { return replay_in_child(tools, seed); }, false);
  if (has_record(run.folder)) run.history = analyse::load_history(run.folder);
  return run;
}

void Explorer::know_replay() {
  if (std::exchange(plan_.replay_known, true)) return;
  plan_.replay = parse_replay({"--trust", base_}, configured());
}

/// Starts what is forked, at first.
bool Explorer::may_fork() {
  know_replay();
  if (plan_.engine == Engine::rerun || refused_forks_ >= most_refused_forks) return false;
  if (branches_) return true;
  if (auto const why = Branches::objection(plan_.replay); !why.empty()) {
    if (plan_.engine == Engine::fork)
      fmt::print(stderr, "earl: --engine fork: no run is a fork, because {}\n", why);
    plan_.engine = Engine::rerun;
    return false;
  }
  branches_.emplace(plan_.replay, temporary_ + "/common");
  has_checkpoints_ = Branches::may_checkpoint(plan_.replay);
  return true;
}

/// The checkpoints of the run that are behind nothing that the path changes.
std::vector<std::size_t> Explorer::checkpoints_before(std::size_t run, Path const& path) const {
  auto before = known_[run].checkpoints;
  std::erase_if(
      before, [&](std::size_t one) { return !explore::is_behind(path, checkpoints_[one].places); });
  return before;
}

/// The last of them; none: where the job begins.
std::size_t Explorer::start_behind(std::vector<std::size_t> const& checkpoints) const {
  return checkpoints.empty() ? Branches::start : checkpoints_[checkpoints.back()].number;
}

Explorer::Fork Explorer::begin_fork(std::size_t from, Path const& path) {
  Fork fork{.folder = new_folder(), .output = memory_file("earl-output")};
  fork.number = branches_->begin({.tools = tools_for(known_[from].folder, path, fork.folder),
                                  .folder = fork.folder,
                                  .output = fork.output.get(),
                                  .seconds = fork_seconds_},
                                 start_behind(checkpoints_before(from, path)));
  return fork;
}

/// Before the first trial from a run, for all of them: where the first of them does something else.
void Explorer::make_checkpoint(explore::Trial const& first) {
  auto const run = first.run;
  if (std::exchange(known_[run].was_tried, true) || !has_checkpoints_ ||
      checkpoints_.size() >= most_checkpoints || search_.left(run) < least_for_checkpoint)
    return;
  auto paths = search_.paths_from(run);
  paths.push_back(&first.path);
  auto const places = explore::first_steps(paths);
  auto const before = checkpoints_before(run, places);
  if (!before.empty() && checkpoints_[before.back()].places == places) return;
  auto tools = tools_for(known_[run].folder, {}, new_folder());
  auto const folder = tools.back().argument;
  tools.front().argument =
      fmt::format("checkpoint={}|{}", trace::to_text(places), tools.front().argument);
  auto const output = memory_file("earl-output");
  auto const made = branches_->make_checkpoint({.tools = std::move(tools),
                                                .folder = folder,
                                                .output = output.get(),
                                                .seconds = fork_seconds_},
                                               start_behind(before));
  if (!made) {
    has_checkpoints_ = false;  // what forbids one here will forbid others
    fs::remove_all(folder);
    return;
  }
  known_[run].checkpoints.push_back(checkpoints_.size());
  checkpoints_.push_back({.number = *made, .places = places});
}

/// One that has begun already, or begins now.
Explorer::Fork Explorer::take_fork(std::size_t from, Path const& path) {
  auto begun = ahead_.extract(replay_argument(known_[from].folder, path));
  return begun ? std::move(begun.mapped()) : begin_fork(from, path);
}

void Explorer::drop(Fork const& fork) {
  static_cast<void>(branches_->end_of(fork.number));
  fs::remove_all(fork.folder);
}

/// The other processors make the runs that the search will come to, if this one shows nothing else.
/// Their results are used in its order, and the others forgotten.
void Explorer::begin_coming() {
  std::map<std::string, Fork> wanted;
  for (auto const* trial : search_.coming(runs_ahead_)) {
    auto const replayed = replay_argument(known_[trial->run].folder, trial->path);
    if (!wanted.contains(replayed)) wanted.emplace(replayed, take_fork(trial->run, trial->path));
  }
  ahead_.swap(wanted);
  for (auto const& [replayed, fork] : wanted) drop(fork);
}

/// Null: it is to be made anew, which shows why it failed.
std::optional<Explorer::Run> Explorer::run_by_fork(std::size_t from, Path const& path) {
  auto fork = take_fork(from, path);
  begin_coming();
  auto const end = branches_->end_of(fork.number);
  refused_forks_ = end == control::BranchEnd::needs_exec ? refused_forks_ + 1 : 0;
  if (end != control::BranchEnd::healthy) {
    fs::remove_all(fork.folder);
    return std::nullopt;
  }
  ++forked_;
  return Run{.folder = fork.folder,
             .ended = {.output = std::move(fork.output)},
             .history = analyse::load_history(fork.folder)};
}

/// Whether the run is no run of the program that has the path: it diverged, messages went where
/// they may not, or it waits for one that it was to get and that cannot come.
bool Explorer::did_otherwise(Run const& run, Path const& path) const {
  auto const code = run.ended.exit_code;
  if (interrupted != 0) return true;
  if (code == diverged || code == cut || run.history.ranks.empty()) return true;
  if (!path.empty() && !explore::matches_in_order(run.history, code == deadlocked)) return true;
  if (code != deadlocked && code != timed_out) return false;
  return !explore::took(run.history, path);
}

void Explorer::add_run(Run& run, Path const& flips, std::vector<std::size_t> checkpoints) {
  disturbed_ = disturbed_ || run.ended.exit_code == timed_out;
  bool const is_new = search_.add(known_.size(), run.history);
  if (is_new)
    known_.push_back({.folder = run.folder, .flips = flips, .checkpoints = std::move(checkpoints)});
  auto failure = judge(run);
  if (failure) {
    auto const known = std::ranges::find(failures_, failure->key, &Failure::key);
    if (known != failures_.end()) {
      ++known->runs;
    } else {
      failure->path = path_to(*failure, run.history, flips);
      note(std::move(*failure), run);
    }
  }
  if (!is_new) return;
  write_output(run);
  run.history = {};
}

/// Null: it is as it should be.
std::optional<Failure> Explorer::judge(Run const& run) const {
  if (interrupted != 0) return std::nullopt;
  Failure failure{.exit_code = run.ended.exit_code, .runs = 1};
  auto const end = trace::read_end(run.folder);
  if (failure.exit_code != 0) {
    failure.what = end && !end->standstill.empty() ? end->standstill : run.ended.said;
    failure.key = fmt::format("{} {}", failure.exit_code, without_numbers(failure.what));
    return failure;
  }
  if (auto const code = check(run.ended); code != 0) {
    failure.what = fmt::format("--check: exit code {}", code);
    failure.key = fmt::format("check {}", code);
    return failure;
  }
  if (plan_.same_output && sorted_lines(text_of(run.ended.output)) != base_output_) {
    failure.what = "another output than the first run's";
    failure.key = sorted_lines(text_of(run.ended.output));
    return failure;
  }
  return std::nullopt;
}

/// The user's command, with the run's output as its input.
int Explorer::check(TrialRun const& ended) const {
  if (plan_.check.empty()) return 0;
  ::lseek(ended.output.get(), 0, SEEK_SET);
  auto const child = ::fork();
  if (child < 0) throw Error("--check: {}", system_message(errno));
  if (child == 0) {
    ::dup2(ended.output.get(), STDIN_FILENO);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    ::execl("/bin/sh", "sh", "-c", plan_.check.c_str(), nullptr);
    ::_exit(127);
  }
  return await_exit(child);
}

void Explorer::note(Failure failure, Run const& run) {
  keep(failure, run.folder);
  failures_.push_back(std::move(failure));
}

/// For a new order.
void Explorer::write_output(Run const& run) const {
  if (plan_.outputs.empty()) return;
  auto const path =
      fmt::format("{}/{}-{}.out", plan_.outputs, search_.orders(), run.ended.exit_code);
  std::ofstream(path) << text_of(run.ended.output);
}

/// Beside the first run's recording.
void Explorer::keep(Failure& failure, std::string const& folder) {
  failure.recording = folder;
  if (folder == base_) return;
  std::error_code failed;
  for (unsigned n = 1;; ++n) {
    failure.recording = fmt::format("{}-failure-{}", base_, n);
    if (!fs::exists(failure.recording, failed)) break;
  }
  fs::copy(folder, failure.recording, fs::copy_options::recursive, failed);
  if (failed) failure.recording.clear();
}

bool Explorer::leads_to(Path const& path, std::string const& key) {
  auto const whole = analyse::with_consequences(base_history_, path);
  auto const run = run_from(0, whole);
  bool same = false;
  if (!did_otherwise(run, whole)) {
    auto const failure = judge(run);
    same = failure && failure->key == key;
  }
  remove_recording(run.folder);
  return same;
}

bool Explorer::reproduces(Path const& path, std::string const& key) {
  for (int i = 0; i < times_to_be_sure; ++i)
    if (!leads_to(path, key)) return false;
  return true;
}

/// The shortest that is found from the first run to this failure; empty: none leads there each
/// time.
Path Explorer::path_to(Failure const& failure, analyse::History const& failed, Path const& flips) {
  auto const still = [&](Path const& path) { return leads_to(path, failure.key); };
  auto const all = explore::differences(base_history_, failed);
  for (auto const& from : std::array{flips, all}) {
    if (from.empty() || !reproduces(from, failure.key)) continue;
    auto least = explore::shrink(from, still, most_questions_of_shrinking);
    if (reproduces(least, failure.key)) return least;
    return from;
  }
  return {};
}

}  // namespace earl::exec
