/// The half of the back end that lives in EXEC: mpiexec, a board, and who has ended.
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "backends/mpi/board.hpp"
#include "backends/mpi/launch.hpp"
#include "backends/mpi/library.hpp"
#include "backends/mpi/module.hpp"
#include "backends/mpi/port.hpp"
#include "generic/backend.hpp"
#include "generic/error.hpp"
#include "generic/parts.hpp"
#include "generic/process.hpp"
#include "generic/processors.hpp"

namespace earl {

namespace mpi_machine {
namespace {

class MpiJob final : public PreparedJob {
 public:
  MpiJob(Library const& library, std::uint32_t processes)
      : library_(library),
        board_(processes, usable_processors()),
        launch_(library, processes),
        missed_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        either_(::epoll_create1(EPOLL_CLOEXEC)) {
    for (int const fd : {missed_.get(), launch_.ended_fd()}) {
      epoll_event event{.events = EPOLLIN, .data = {.fd = fd}};
      if (::epoll_ctl(either_.get(), EPOLL_CTL_ADD, fd, &event) != 0)
        throw Error(Fault::full, "mpiexec cannot be watched: {}", system_message(errno));
    }
  }

  std::vector<int> descriptors(Rank rank) override {
    if (index(rank) >= launch_.places().size())
      throw Error(Fault::full,
                  "MPI takes no process after its start: begin with all of them (earl run -n), or "
                  "use another machine (--on shm)");
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
      throw Error("rank {} has ended without leaving MPI, which cannot go on without it",
                  number(*missing_));
    auto const words = launch_.last_words();
    throw Error("{} ({}) has ended; the job cannot go on without it{}{}", library_.launcher,
                library_.title, words.empty() ? "" : ": ", words);
  }

 private:
  Library const& library_;
  Board board_;
  Launch launch_;
  Descriptor missed_;
  Descriptor either_;  ///< readable when mpiexec has ended or a process is missed
  std::optional<Rank> missing_;
};

std::unique_ptr<PreparedJob> prepare(JobFacts const& facts) {
  if (facts.initial == 0)
    throw Error(Fault::full,
                "a job on MPI begins with all its processes: say how many (earl run "
                "-n), or use another machine");
  return std::make_unique<MpiJob>(choose_library(), facts.initial);
}

/// As the launcher has told the placeholder; its descriptor has another number here.
std::vector<std::string> variables_of(int memory, std::span<int const> handed) {
  auto variables = read_variables(memory);
  if (!handed.empty()) variables.push_back(fmt::format("PMI_FD={}", handed.front()));
  return variables;
}

/// A program ends its libraries before the exit handlers that were there before main(), and MPI's
/// are among them: so this process leaves when the module is about to end.
void leave_in_time() {
  if (!self()) return;
  try {
    self()->leave();
  } catch (Error const& error) {
    fmt::print(stderr, "earl: {}\n", error.what());
  }
}

std::unique_ptr<Port> join(std::span<int const> descriptors, Rank rank) {
  if (descriptors.size() != 2 && descriptors.size() != 3)
    throw Error("MPI needs two or three descriptors from EXEC, not {}", descriptors.size());
  auto board = std::make_unique<Board>(Descriptor(descriptors[0]));
  Descriptor const memory(descriptors[1]);
  LentVariables const lent(variables_of(memory.get(), descriptors.subspan(2)));
  char const* const word = std::getenv(library_variable);
  auto const& library = library_named(word ? word : "");
  auto const& native = load_module(find_part("mpi", library.module));
  auto port = std::make_unique<MpiPort>(std::move(board), rank, native);
  native.at_end(leave_in_time);
  return port;
}

std::vector<NativeLibrary> describe_all() {
  std::vector<NativeLibrary> all;
  for (auto const& library : libraries()) all.push_back(description(library, look_for(library)));
  return all;
}

}  // namespace
}  // namespace mpi_machine

extern Backend const mpi_back_end;
Backend const mpi_back_end{
    .name = "mpi",
    .summary = "processes of one machine, through MPICH or Open MPI",
    .prepare = mpi_machine::prepare,
    .join = mpi_machine::join,
    .libraries = mpi_machine::describe_all,
};

}  // namespace earl
