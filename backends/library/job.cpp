/// EXEC's half: the library's launcher, a board, and who has ended. And how a process joins.
#include "backends/library/job.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <optional>
#include <vector>

#include "backends/library/board.hpp"
#include "backends/library/launch.hpp"
#include "backends/library/port.hpp"
#include "backends/library/variables.hpp"
#include "generic/error.hpp"
#include "generic/process.hpp"
#include "generic/processors.hpp"

namespace earl::library_machine {

namespace {

class LibraryJob final : public PreparedJob {
 public:
  LibraryJob(Library library, std::uint32_t processes)
      : library_(std::move(library)),
        board_(processes, usable_processors()),
        launch_(library_, processes),
        missed_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        either_(::epoll_create1(EPOLL_CLOEXEC)) {
    for (int const fd : {missed_.get(), launch_.ended_fd()}) {
      epoll_event event{.events = EPOLLIN, .data = {.fd = fd}};
      if (::epoll_ctl(either_.get(), EPOLL_CTL_ADD, fd, &event) != 0)
        throw Error(Fault::full, "{} cannot be watched: {}", library_.launcher, system_message(errno));
    }
  }

  std::vector<int> descriptors(Rank rank) override {
    if (index(rank) >= launch_.places().size())
      throw Error(Fault::full,
                  "{} takes no process after its start: begin with all of them (earl run -n), or "
                  "use another machine (--on shm)",
                  library_.machine);
    auto const& place = launch_.places()[index(rank)];
    std::vector<int> all{board_.descriptor(), place.variables.get()};
    if (place.handed) all.push_back(place.handed.get());
    return all;
  }

  void knock(Rank rank) override {
    if (!board_.has(rank)) return;
    board_.row(rank).knocks.fetch_add(1, std::memory_order_release);
    board_.ring(rank);
  }

  void ended(Rank rank) override {
    if (!board_.has(rank) || board_.life(rank) == Life::outside) return;
    board_.change(rank, Life::ended);
    missing_ = rank;
    std::uint64_t const one = 1;
    [[maybe_unused]] auto const written = ::write(missed_.get(), &one, sizeof one);
  }

  int wait_fd() const override { return either_.get(); }
  void attend() override {
    if (missing_)
      throw Error("rank {} has ended without leaving {}, which cannot go on without it",
                  number(*missing_), library_.machine);
    auto const words = launch_.last_words();
    throw Error("{} ({}) has ended; the job cannot go on without it{}{}", library_.launcher,
                library_.title, words.empty() ? "" : ": ", words);
  }

 private:
  Library const library_;
  Board board_;
  Launch launch_;
  Descriptor missed_;
  Descriptor either_;  ///< readable when the launcher has ended or a process is missed
  std::optional<Rank> missing_;
};

/// As the launcher has told the placeholder; its descriptor has another number here.
std::vector<std::string> variables_of(int memory, std::string_view handed,
                                      std::span<int const> descriptors) {
  auto variables = read_variables(memory);
  if (!descriptors.empty())
    variables.push_back(fmt::format("{}={}", handed, descriptors.front()));
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
  if (facts.initial == 0)
    throw Error(Fault::full,
                "a job on {} begins with all its processes: say how many (earl run -n), or use "
                "another machine",
                library.machine);
  return std::make_unique<LibraryJob>(std::move(library), facts.initial);
}

std::unique_ptr<Port> join(Entrance const& entrance, std::span<int const> descriptors, Rank rank) {
  if (descriptors.size() != 2 && descriptors.size() != 3)
    throw Error("a native library needs two or three descriptors from EXEC, not {}",
                descriptors.size());
  auto board = std::make_unique<Board>(Descriptor(descriptors[0]));
  Descriptor const memory(descriptors[1]);
  LentVariables const lent(variables_of(memory.get(), entrance.handed, descriptors.subspan(2)));
  auto const& native = entrance.load();
  auto port = std::make_unique<LibraryPort>(std::move(board), rank, native);
  native.at_end(leave_in_time);
  return port;
}

}  // namespace earl::library_machine
