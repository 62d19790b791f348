// SPDX-License-Identifier: BSD-3-Clause
/// The back end's row, and its half that all ranks live in.
#include <fcntl.h>
#include <stdio_ext.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

#include "backends/fibers/arrival.hpp"
#include "backends/fibers/crash.hpp"
#include "backends/fibers/enter.hpp"
#include "backends/fibers/here.hpp"
#include "generic/base/error.hpp"
#include "generic/base/number.hpp"
#include "generic/seams/backend.hpp"

namespace earl {

namespace fibers {

CurrentSharedProcess here;

namespace {

constexpr std::uint64_t usual_stack = 8192;  ///< KiB
constexpr std::uint64_t least_stack = 16;
/// Signals that programs send each other, or themselves.
constexpr std::array wakers{SIGALRM, SIGUSR1, SIGUSR2, SIGIO};

std::uint64_t number_in(char const* variable, std::uint64_t usual) {
  char const* const text = std::getenv(variable);
  if (!text || !*text) return usual;
  auto const value = number_from<std::uint64_t>(text);
  if (!value) throw Error("{} is \"{}\"; it can be a number from 0 on", variable, text);
  return *value;
}

std::size_t stack_bytes() {
  auto const kibibytes = number_in("EARL_STACK", usual_stack);
  if (kibibytes < least_stack)
    throw Error("EARL_STACK is {}; a rank needs at least {} KiB", kibibytes, least_stack);
  return kibibytes * 1024;
}

SharedClock::Kind kind_of_time() {
  char const* const text = std::getenv("EARL_TIME");
  const std::string_view word = text ? text : "";
  if (word == "virtual") return SharedClock::Kind::own;
  if (!word.empty() && word != "real")
    throw Error("EARL_TIME is \"{}\"; it can be real or virtual", word);
  return SharedClock::Kind::system;
}

/// The absolute path of a file.
std::string whole(std::string const& path) {
  std::error_code failed;
  auto const name = std::filesystem::canonical(path, failed);
  return failed ? path : name.string();
}

int exit_code(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

/// The program has its own copies of these.
void give_own_variables(RankFiber& rank) {
  auto const give = [&](char const* name, auto value) {
    if (auto* const own = static_cast<decltype(value)*>(rank.copy->variable(name))) *own = value;
  };
  give("stdin", rank.input);
  give("stdout", rank.output);
  give("stderr", rank.error);
  for (char const* name : {"environ", "__environ", "_environ"}) give(name, rank.environment);
  for (auto const& cell : rank.copy->cells())
    if (cell.shared == &current_process) *static_cast<Process**>(cell.own) = current_process;
}

void announce(RankFiber const& rank) {
  auto const& images = rank.program->images();
  for (std::size_t i = 0; i < images.size(); ++i)
    file_is_mapped(images[i]->path().c_str(), rank.copy->base(i), images[i]->span(),
                   number(rank.launch.rank));
}

/// All that a rank ever does.
void live(RankFiber& rank) {
  try {
    auto& process = here.host->enrol(rank.launch.rank);
    process.give_cells(rank.copy->cells());
    give_own_variables(rank);
  } catch (Error const& error) {
    rank.failure_report = error.what();
    terminate_rank(1 << 8);
  }
  take_signals();
  enter_program(rank);
}

class FiberProcess final : public SharedProcess {
 public:
  explicit FiberProcess(SharedProcessHost& host)
      : host_(host),
        stack_size_(stack_bytes()),
        scheduler_(number_in("EARL_SEED", 0), kind_of_time(), live,
                   [this](RankFiber& rank) { ended(rank); }) {
    here.scheduler = &scheduler_;
    here.host = &host;
    scheduler_.mailboxes().when_dropped([](Rank rank) { here.exposures.remove_all_of(rank); });
    folder_of({});
    enable_rank_heaps();
    watch_for_crashes();
  }
  ~FiberProcess() override { here = {}; }

  void load(RankLaunch launch) override {
    auto folder = folder_of(launch.folder);
    auto& program = programs_[launch.path];
    if (!program) program = std::make_shared<Program const>(whole(launch.path), launch.wrappers);
    auto fiber = std::make_unique<RankFiber>(std::move(launch), program, stack_size_, host_);
    fiber->folder = std::move(folder);
    announce(*fiber);
    loaded_ = true;
    scheduler_.admit(std::move(fiber));
  }

  void signal(Rank rank, int signal_number) override {
    if (auto* const one = scheduler_.find(rank)) signal_rank(*one, signal_number);
  }

  void notify_control(Rank rank) override {
    auto& box = scheduler_.mailbox(rank);
    box.control_ready = true;
    if (box.owner) scheduler_.make_ready(*box.owner);
  }

  Deadline run() override {
    if (std::exchange(loaded_, false)) ranks_have_been_loaded();
    return scheduler_.run();
  }

  std::uint64_t traffic() const override { return scheduler_.traffic(); }

  std::optional<Loaded> loaded_at(std::uintptr_t address) const override {
    auto const* const rank = scheduler_.current();
    auto const place = rank ? rank->copy->place_of(address) : Copy::Place{};
    if (!place.image) return std::nullopt;
    auto const base = address - place.address;
    auto const frames = place.image->frames();
    return Loaded{.path = place.image->path(),
                  .base = base,
                  .size = place.image->span(),
                  .frames = frames == 0 ? nullptr : reinterpret_cast<void const*>(base + frames)};
  }

  std::vector<Bytes> notes() const override {
    auto const& copy = *me().copy;
    std::vector<Bytes> list;
    for (auto const& segment : copy.program().images().front()->notes())
      list.emplace_back(reinterpret_cast<std::byte const*>(copy.base(0) + segment.p_vaddr),
                        segment.p_filesz);
    return list;
  }

  void* function(std::string_view name) const override {
    auto const& copy = *me().copy;
    auto const& images = copy.program().images();
    for (std::size_t i = 0; i < images.size(); ++i)
      if (auto const* const symbol = images[i]->find(name))
        return reinterpret_cast<void*>(copy.base(i) + symbol->st_value);
    return nullptr;
  }

  bool may_be_woken() const override {
    auto const handles = [](int number) {
      auto const handler = me().signals.at[number].handler;
      return handler != SIG_DFL && handler != SIG_IGN;
    };
    return me().timer.next != never || std::ranges::any_of(wakers, handles);
  }

  void yield() override { scheduler_.yield(); }
  void exit(int code) override { exit_rank(code); }
  void quit(int code) override {
    std::fflush(stdout);
    terminate_rank((code & 0xff) << 8);
  }
  void print(std::string_view line) override {
    std::fflush(stdout);
    me().err.write(line);
  }

 private:
  /// Opened once for all ranks in it.
  std::shared_ptr<Descriptor const> folder_of(std::string const& name) {
    auto& folder = folders_[name];
    if (folder) return folder;
    Descriptor opened(::open(name.empty() ? "." : name.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!opened) throw Error("{} cannot be worked in: {}", name, system_message(errno));
    return folder = std::make_shared<Descriptor const>(std::move(opened));
  }

  /// Output that a rank has not flushed by its end is lost, as in any process.
  void close_streams(RankFiber& rank) const {
    auto const close = [](Outlet const& outlet, std::FILE* stream, std::FILE*& used,
                          std::FILE* own) {
      if (outlet.stream == 0) return;  // the program has closed it
      if (used == stream) used = own;
      ::__fpurge(stream);
      std::fclose(stream);
    };
    close(rank.out, rank.output, stdout, own_output_);
    close(rank.err, rank.error, stderr, own_error_);
  }

  void ended(RankFiber& rank) {
    auto const number = rank.launch.rank;
    mark_ended(scheduler_, number);
    here.exposures.remove_copied_of(number);
    if (rank.fault_report) rank.failure_report = rank.fault_report;
    if (rank.crash.happened && rank.failure_report.empty())
      rank.failure_report = explain_crash(rank, host_);
    if (!rank.failure_report.empty())
      host_.report_failure(number, exit_code(rank.wait_status), rank.failure_report);
    host_.ended(number, rank.wait_status);
    close_streams(rank);
    // Another one that a signal ended may have been within any call.
    if (!WIFSIGNALED(rank.wait_status) || rank.killed_waiting)
      delete std::exchange(rank.process, nullptr);
    if (!rank.corrupted_shared_state) return;
    ::signal(rank.wait_status, SIG_DFL);
    ::raise(rank.wait_status);
  }

  SharedProcessHost& host_;
  std::FILE* const own_output_ = stdout;
  std::FILE* const own_error_ = stderr;
  std::size_t stack_size_;
  Scheduler scheduler_;
  bool loaded_ = false;  ///< ranks have been loaded since run()
  std::map<std::string, std::shared_ptr<Program const>> programs_;  ///< by path
  std::map<std::string, std::shared_ptr<Descriptor const>> folders_;
};

class FiberJob final : public PreparedJob {
 public:
  std::vector<int> descriptors(Rank) override { return {}; }
  void notify_control(Rank) override {}
  void ended(Rank) override {}
  /// The rank number includes the incarnation of its slot, and the shared process keeps its data by
  /// rank: nothing is left that a successor could find.
  bool reuses() const override { return true; }
  bool release(Rank) override { return true; }
};

std::unique_ptr<PreparedJob> prepare(JobFacts const&) { return std::make_unique<FiberJob>(); }

std::unique_ptr<Port> join(std::span<int const>, Rank rank) {
  if (!here.scheduler)
    throw Error("a fiber lives in a process that EXEC starts for all ranks: use `earl run`");
  return std::make_unique<FiberPort>(*here.scheduler, here.exposures, here.boards,
                                     here.common_memory, rank);
}

std::unique_ptr<SharedProcess> shared_process(SharedProcessHost& host) {
  return std::make_unique<FiberProcess>(host);
}

std::string refuses(ProgramFacts const& facts) {
  if (!facts.position_independent)
    return "it is not position-independent, so a process can hold only one of it (link it with "
           "-pie)";
  auto const why = objection_to([&](char const* name) { return facts.imports.contains(name); });
  return why.empty() ? objection_to_files(facts.path, facts.folders) : why;
}

}  // namespace
}  // namespace fibers

extern Backend const fibers_back_end;
Backend const fibers_back_end{
    .name = "fibers",
    .summary = "all ranks in one process, each with its own copy of the program",
    .prepare = fibers::prepare,
    .join = fibers::join,
    .refuses = fibers::refuses,
    .shared_process = fibers::shared_process,
    .packets_outlive_sender = true,
};

}  // namespace earl
