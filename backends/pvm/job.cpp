/// The half of the back end that lives in EXEC: a virtual machine, a board, a bell per process.
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "generic/bell.hpp"
#include "backends/pvm/board.hpp"
#include "backends/pvm/daemon.hpp"
#include "backends/pvm/module.hpp"
#include "backends/pvm/port.hpp"
#include "generic/backend.hpp"
#include "generic/error.hpp"

namespace earl {

namespace pvm_machine {
namespace {

std::unique_ptr<VirtualMachine> machine_from_environment() {
  char const* const text = std::getenv("EARL_PVM");
  const std::string_view word = text ? text : "private";
  if (word == "private") return std::make_unique<PrivateMachine>();
  if (word == "join") return std::make_unique<RunningMachine>();
  throw Error("EARL_PVM is \"{}\"; it can be private (a daemon for this job only) or join (yours)",
              word);
}

class PvmJob final : public PreparedJob {
 public:
  explicit PvmJob(JobFacts const& facts)
      : machine_(machine_from_environment()),
        board_(facts.capacity, machine_->socket()),
        bells_(facts.capacity) {}

  std::vector<int> descriptors(Rank rank) override {
    return {board_.descriptor(), bells_.of(rank).get()};
  }

  void registered(Rank rank, std::int32_t) override {
    if (board_.row(rank).wanted.load() != 0) bells_.ring_all();
  }

  void knock(Rank rank) override {
    board_.row(rank).knocks.fetch_add(1, std::memory_order_release);
    bells_.ring(rank);
  }

  void ended(Rank rank) override {
    board_.bury(rank);
    bells_.drop(rank);
    bells_.ring_all();
  }

  int wait_fd() const override { return machine_->ended_fd(); }
  void attend() override {
    throw Error("the PVM daemon (pvmd) has ended; the job cannot go on without it");
  }

 private:
  std::unique_ptr<VirtualMachine> machine_;
  Board board_;
  Bells bells_;
};

std::unique_ptr<PreparedJob> prepare(JobFacts const& facts) {
  if (facts.initial == 0 || facts.initial > most_processes)
    throw Error(Fault::full, "a PVM daemon can serve 1 to {} processes, not {}", most_processes,
                facts.initial);
  find_module();  // rather one sentence here than one of each process
  return std::make_unique<PvmJob>(facts);
}

std::unique_ptr<Port> join(std::span<int const> descriptors, Rank rank) {
  if (descriptors.size() != 2)
    throw Error("PVM needs two descriptors from EXEC, not {}", descriptors.size());
  return std::make_unique<PvmPort>(std::make_unique<Board>(Descriptor(descriptors[0])),
                                   Bell(Descriptor(descriptors[1])), rank,
                                   load_module(find_module()), PortSettings::from_environment());
}

}  // namespace
}  // namespace pvm_machine

extern Backend const pvm_back_end;
Backend const pvm_back_end{
    .name = "pvm",
    .summary = "processes of one machine, through a PVM 3 daemon",
    .prepare = pvm_machine::prepare,
    .join = pvm_machine::join,
};

}  // namespace earl
