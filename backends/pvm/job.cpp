// SPDX-License-Identifier: BSD-3-Clause
/// The half of the back end that lives in EXEC or its agents: a virtual machine, a board for each
/// host, a bell per process.
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "backends/pvm/board.hpp"
#include "backends/pvm/daemon.hpp"
#include "backends/pvm/hosts.hpp"
#include "backends/pvm/module.hpp"
#include "backends/pvm/port.hpp"
#include "generic/base/error.hpp"
#include "generic/seams/backend.hpp"
#include "generic/system/bell.hpp"
#include "generic/system/program_heap.hpp"

namespace earl {

namespace pvm_backend {
namespace {

bool joins() {
  char const* const text = std::getenv("EARL_PVM");
  const std::string_view word = text ? text : "private";
  if (word != "private" && word != "join")
    throw Error(
        "EARL_PVM is \"{}\"; it can be private (a daemon for this job only) or join (yours)", word);
  return word == "join";
}

/// Only the user's has several hosts.
std::unique_ptr<VirtualMachine> virtual_machine_for(JobFacts const& facts) {
  if (facts.secret || joins()) return std::make_unique<UserVirtualMachine>();
  return std::make_unique<PrivateDaemon>();
}

class PvmJob final : public PreparedJob {
 public:
  explicit PvmJob(JobFacts const& facts)
      : machine_(virtual_machine_for(facts)),
        board_(facts.capacity, machine_->socket(), facts.secret),
        bells_(board_.rows()),
        deaths_(board_.rows()) {}

  std::vector<int> descriptors(Rank rank) override {
    return {board_.descriptor(), bells_.of(board_.first_rank_of_row(rank)).get()};
  }

  void registered(Rank rank, std::int32_t) override { can_be_reached(rank); }

  std::string address(Rank rank) override { return board_.address(rank); }

  void add_address(Rank rank, std::string_view address) override {
    board_.set_address(rank, address);
    can_be_reached(rank);
  }

  void notify_control(Rank rank) override {
    board_.row(rank).control_notices.fetch_add(1, std::memory_order_release);
    bells_.ring(board_.first_rank_of_row(rank));
  }

  void ended(Rank rank) override {
    if (board_.has_ended(rank)) return;
    board_.mark_ended(rank);
    deaths_[board_.slot(rank)] = board_.head().deaths.load();
    bells_.drop(board_.first_rank_of_row(rank));
    bells_.ring_all();
  }

  bool reuses() const override { return true; }
  void named(Rank rank) override {
    if (board_.first_rank_of_row(rank) != rank && board_.begin(rank)) bells_.ring_all();
  }
  /// A packet says of which task it is, not of which rank: the row must have the task until none
  /// can come any more.
  bool release(Rank rank) override { return board_.all_drained(deaths_[board_.slot(rank)]); }
  void wake_peers_for_release(Rank) override { bells_.ring_all(); }

  int wait_fd() const override { return machine_->ended_fd(); }
  void handle_event() override {
    if (machine_->has_ended())
      throw Error("the PVM daemon (pvmd) has ended; the job cannot go on without it");
  }

 private:
  void can_be_reached(Rank rank) {
    if (board_.row(rank).wanted.load() != 0) bells_.ring_all();
  }

  std::unique_ptr<VirtualMachine> machine_;
  Board board_;
  Bells bells_;
  std::vector<std::uint32_t> deaths_;  ///< by slot: how many had ended with its last process
};

std::unique_ptr<PreparedJob> prepare(JobFacts const& facts) {
  if (facts.initial == 0 || facts.initial > most_processes)
    throw Error(Fault::full, "a PVM daemon can serve 1 to {} processes, not {}", most_processes,
                facts.initial);
  find_module();  // rather one sentence here than one of each process
  return std::make_unique<PvmJob>(facts);
}

/// A virtual machine with one host is not mentioned.
std::vector<std::string> hosts() {
  if (!joins()) return {};
  auto names = hosts_of(UserVirtualMachine{}.socket());
  if (names.size() == 1) names.clear();
  return names;
}

std::unique_ptr<Port> join(std::span<int const> descriptors, Rank rank) {
  if (descriptors.size() != 2)
    throw Error("PVM needs two descriptors from EXEC, not {}; install Earl again",
                descriptors.size());
  auto port = std::make_unique<PvmPort>(
      std::make_unique<Board>(Descriptor(descriptors[0])), Bell(Descriptor(descriptors[1])), rank,
      load_module(find_module()), PortSettings::from_environment());
  heap::retire_free_memory();
  return port;
}

}  // namespace
}  // namespace pvm_backend

extern Backend const pvm_back_end;
Backend const pvm_back_end{
    .name = "pvm",
    .summary = "processes of one host, or of your virtual machine's, through PVM 3 daemons",
    .prepare = pvm_backend::prepare,
    .join = pvm_backend::join,
    .spans_hosts = true,
    .hosts = pvm_backend::hosts,
};

}  // namespace earl
