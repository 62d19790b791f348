/// The half of the back end that lives in EXEC: it makes the job's memory, rings and buries.
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "backends/myrinet/fabric.hpp"
#include "backends/myrinet/port.hpp"
#include "generic/backend.hpp"
#include "generic/error.hpp"
#include "generic/processors.hpp"

namespace earl {

namespace myrinet {
namespace {

/// EARL_MYRINET_TOPOLOGY names its file; else it is as large as the job.
Topology network_for(JobFacts const& facts) {
  char const* const file = std::getenv("EARL_MYRINET_TOPOLOGY");
  if (!file || !*file) return usual_topology(facts.capacity);
  auto topology = read_topology(file);
  if (topology.hosts.size() < facts.initial)
    throw Error(earl::Fault::full, "{} has {} hosts, and the job needs {}", file,
                topology.hosts.size(), facts.initial);
  // Rather one sentence here than one of each process.
  Routes routes{topology};
  for (std::uint32_t from = 0; from < facts.initial; ++from)
    for (std::uint32_t to = 0; to < facts.initial; ++to) static_cast<void>(routes.find(from, to));
  return topology;
}

class FabricJob final : public PreparedJob {
 public:
  FabricJob(JobFacts const& facts, Topology const& topology)
      : memory_(facts.capacity, topology), hosts_(topology.hosts.size()), initial_(facts.initial) {
    auto& head = memory_.head();
    head.cpus = usable_processors();
    head.processes = facts.initial;
    // As on shared memory: with more processes than processors the fence belongs where it is cheap.
    head.one_sided = facts.initial <= head.cpus && Fences::can_be_one_sided() ? 1 : 0;
  }

  std::vector<int> descriptors(Rank rank) override {
    if (index(checked(rank)) >= hosts_)
      throw Error(earl::Fault::full, "the network has no host for process {}: it has {}",
                  number(rank), hosts_);
    memory_.reserve_queue(rank);
    return {memory_.descriptor()};
  }

  void registered(Rank rank, std::int32_t) override {
    auto& row = memory_.host(checked(rank));
    auto unborn = static_cast<std::uint32_t>(Life::unborn);
    if (row.life.compare_exchange_strong(unborn, static_cast<std::uint32_t>(Life::living)) &&
        index(rank) >= initial_)
      memory_.head().processes.fetch_add(1, std::memory_order_relaxed);
  }

  void knock(Rank rank) override {
    auto& row = memory_.host(checked(rank));
    row.knocks.fetch_add(1, std::memory_order_release);
    fence();
    wake_if_asleep(row);
  }

  void ended(Rank rank) override {
    auto const before = memory_.life(checked(rank));
    if (before == Life::ended) return;
    if (before == Life::living || index(rank) < initial_)
      memory_.head().processes.fetch_sub(1, std::memory_order_relaxed);
    memory_.bury(rank);
  }

 private:
  Rank checked(Rank rank) const {
    EARL_CHECK(memory_.has(rank), "rank {}", number(rank));
    return rank;
  }

  Memory memory_;
  std::size_t hosts_;
  std::uint32_t initial_;
};

std::unique_ptr<PreparedJob> prepare(JobFacts const& facts) {
  auto const topology = network_for(facts);
  static_cast<void>(Mishap::from_environment());
  return std::make_unique<FabricJob>(facts, topology);
}

std::unique_ptr<Port> join(std::span<int const> descriptors, Rank rank) {
  if (descriptors.size() != 1)
    throw Error("Myrinet needs one descriptor from EXEC, not {}", descriptors.size());
  auto memory = std::make_unique<Memory>(Descriptor(descriptors[0]));
  auto const policy = WaitPolicy::from(WaitSettings::from_environment(), memory->head().cpus);
  return std::make_unique<MyrinetPort>(
      std::make_unique<FabricLink>(std::move(memory), rank, Mishap::from_environment()), rank,
      policy);
}

}  // namespace
}  // namespace myrinet

extern Backend const myrinet_back_end;
Backend const myrinet_back_end{
    .name = "myrinet",
    .summary = "processes of one machine, through a fabric of Myrinet's switches",
    .prepare = myrinet::prepare,
    .join = myrinet::join,
};

}  // namespace earl
