// SPDX-License-Identifier: BSD-3-Clause
/// EXEC's half: the library's launcher, a board, and ended processes. And how a process joins.
#include "backends/hosted/job.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <optional>
#include <vector>

#include "backends/hosted/board.hpp"
#include "backends/hosted/launcher.hpp"
#include "backends/hosted/places.hpp"
#include "backends/hosted/port.hpp"
#include "backends/hosted/remote_command.hpp"
#include "backends/hosted/variables.hpp"
#include "generic/base/error.hpp"
#include "generic/process.hpp"
#include "generic/system/processors.hpp"
#include "generic/system/program_heap.hpp"
#include "generic/system/scoped_environment.hpp"

namespace earl::hosted_backend {

namespace {

struct Command {
  std::vector<std::string> arguments;
  int wanted = -1;  ///< as JobFacts has it
  /// For the launcher's own end, when its placeholders have ended.
  std::chrono::milliseconds end_timeout{3000};
};

[[noreturn]] void refuse_more(Library const& library) {
  throw Error(Fault::full,
              "{} takes no process after its start: begin with all of them (earl run -n), or "
              "use another back end (--on shm)",
              library.back_end);
}

/// The commands that one host needs: the whole launcher, or its remote command there.
Launcher::Request launcher_request(Library const& library, Spread const& spread, Command command) {
  return {.command = std::move(command.arguments),
          .settings = library.settings,
          .hidden = std::string{library.hidden},
          .folder = std::string{library.folder},
          .socket = places_variable,
          .most = static_cast<int>(spread.hosts.size()),
          .wanted = command.wanted,
          .end_timeout = command.end_timeout};
}

/// The processes that EXEC's own launcher has started.
LaunchedProcesses start_crew(Library const& library, Spread const& spread, Command command) {
  auto launcher = std::make_unique<Launcher>(launcher_request(library, spread, std::move(command)));
  auto places = take_places(*launcher, library, spread.ranks_here());
  return {.launcher = std::move(launcher), .places = std::move(places)};
}

class LibraryJob final : public PreparedJob {
 public:
  LibraryJob(Library library, Spread const& spread, LaunchedProcesses crew)
      : library_(std::move(library)),
        board_(spread, usable_processors()),
        launcher_(std::move(crew.launcher)),
        places_(std::move(crew.places)),
        missed_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        either_(::epoll_create1(EPOLL_CLOEXEC)) {
    for (int const fd : {missed_.get(), launcher_->ended_fd()}) {
      epoll_event event{.events = EPOLLIN, .data = {.fd = fd}};
      if (::epoll_ctl(either_.get(), EPOLL_CTL_ADD, fd, &event) != 0)
        throw Error(Fault::full, "{} cannot be watched: {}", library_.launcher,
                    system_message(errno));
    }
  }

  std::vector<int> descriptors(Rank rank) override {
    auto const found = places_.find(rank);
    if (found == places_.end()) refuse_more(library_);
    auto const& place = found->second;
    std::vector<int> all{board_.descriptor(), place.variables.get()};
    if (place.handed) all.push_back(place.handed.get());
    return all;
  }

  void notify_control(Rank rank) override {
    if (!board_.has(rank)) return;
    board_.row(rank).control_notices.fetch_add(1, std::memory_order_release);
    board_.ring(rank);
  }

  void ended(Rank rank) override {
    if (!board_.has(rank)) return;
    if (!board_.is_here(rank)) return ended_elsewhere(rank);
    if (board_.state(rank) == ProcessState::outside) return;
    board_.change(rank, ProcessState::ended);
    missing_ = rank;
    std::uint64_t const one = 1;
    [[maybe_unused]] auto const written = ::write(missed_.get(), &one, sizeof one);
  }

  /// The others go on without it, and end without ending the library.
  void killed(Rank rank) override {
    if (!board_.has(rank)) return;
    if (!board_.is_here(rank)) return ended_elsewhere(rank);
    if (board_.state(rank) != ProcessState::outside) board_.change(rank, ProcessState::ended);
  }

  int wait_fd() const override { return either_.get(); }
  void handle_event() override {
    if (missing_)
      throw Error(
          "rank {} ended without finalizing {}, which cannot continue without it; use --on shm "
          "where a rank may end early",
          number(*missing_), library_.back_end);
    complain_of_end(library_, *launcher_);
  }

 private:
  /// The other host reports missing processes.
  void ended_elsewhere(Rank rank) {
    if (board_.state(rank) < ProcessState::drained) board_.change(rank, ProcessState::ended);
  }

  Library const library_;
  Board board_;
  std::unique_ptr<Starter> launcher_;
  Places places_;  ///< destroyed (closing their lines) before the launcher is waited for
  Descriptor missed_;
  Descriptor either_;  ///< readable when the launcher has ended or a process is missed
  std::optional<Rank> missing_;
};

/// The half of a host without a process.
class NoLocalRanksJob final : public PreparedJob {
 public:
  explicit NoLocalRanksJob(Library library) : library_(std::move(library)) {}
  std::vector<int> descriptors(Rank) override { refuse_more(library_); }
  void notify_control(Rank) override {}
  void ended(Rank) override {}

 private:
  Library const library_;
};

/// The launcher's remote command on this host.
std::unique_ptr<PreparedJob> prepare_for(RemoteCommand const& remote_command, Library library,
                                         int wanted) {
  if (remote_command.command.empty()) return std::make_unique<NoLocalRanksJob>(std::move(library));
  library.launcher = fmt::format("the remote command of {}", library.launcher);
  auto crew = start_crew(library, remote_command.spread,
                         {.arguments = {"/bin/sh", "-c", remote_command.command},
                          .wanted = wanted,
                          .end_timeout = {}});
  return std::make_unique<LibraryJob>(std::move(library), remote_command.spread, std::move(crew));
}

/// The launcher's description for the placeholder; its descriptor has another number here.
std::vector<std::string> variables_of(int memory, std::string_view handed,
                                      std::span<int const> descriptors) {
  auto variables = read_variables(memory);
  if (!descriptors.empty()) variables.push_back(fmt::format("{}={}", handed, descriptors.front()));
  return variables;
}

/// A program ends its libraries before the exit handlers that were there before main(), and those
/// of a native library may be among them: so this process leaves when that is about to end.
void leave_in_time() {
  if (!self()) return;
  try {
    self()->leave();
  } catch (Error const& error) {
    fmt::print(stderr, "earl: {}\n", error.what());
  }
}

}  // namespace

std::unique_ptr<PreparedJob> prepare(Library library, JobFacts const& facts) {
  if (!facts.remote_command.empty())
    return prepare_for(remote_command_from(facts.remote_command), std::move(library), facts.wanted);
  check_processes(library, facts.initial);
  Command command{.arguments = command_of(library)};
  add(command.arguments, {"-n", std::to_string(facts.initial)});
  add(command.arguments, placeholder_of(library));
  auto const spread = Spread::together(facts.initial);
  auto crew = start_crew(library, spread, std::move(command));
  return std::make_unique<LibraryJob>(std::move(library), spread, std::move(crew));
}

std::unique_ptr<PreparedJob> prepare_with(Library library, LaunchedProcesses crew) {
  auto const spread = Spread::together(static_cast<std::uint32_t>(crew.places.size()));
  return std::make_unique<LibraryJob>(std::move(library), spread, std::move(crew));
}

namespace {

/// Loads and begins the library, with the environment that its launcher gave the placeholder.
std::unique_ptr<Port> begin(LibraryAccess const& access, std::span<int const> descriptors,
                            Rank rank) {
  if (descriptors.size() != 2 && descriptors.size() != 3)
    throw Error(
        "a native library needs two or three descriptors from EXEC, not {}; install Earl again",
        descriptors.size());
  auto board = std::make_unique<Board>(Descriptor(descriptors[0]));
  Descriptor const memory(descriptors[1]);
  ScopedEnvironment const lent(variables_of(memory.get(), access.handed, descriptors.subspan(2)));
  auto const& native = access.load();
  auto port = std::make_unique<LibraryPort>(std::move(board), rank, native);
  native.at_end(leave_in_time);
  return port;
}

}  // namespace

std::unique_ptr<Port> join(LibraryAccess const& access, std::span<int const> descriptors,
                           Rank rank) {
  auto port = begin(access, descriptors, rank);
  heap::retire_free_memory();
  return port;
}

}  // namespace earl::hosted_backend
