// SPDX-License-Identifier: BSD-3-Clause
/// The half of the back end that lives in EXEC: it makes the job's memory and rings, and marks the
/// ended.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/myrinet/bip_routes.hpp"
#include "backends/myrinet/cables/job.hpp"
#include "backends/myrinet/counters.hpp"
#include "backends/myrinet/fabric.hpp"
#include "backends/net/port.hpp"
#include "generic/base/error.hpp"
#include "generic/seams/backend.hpp"
#include "generic/system/processors.hpp"
#include "generic/system/variable.hpp"

namespace earl {

namespace myrinet {
namespace {

/// Rather one sentence here than one of each process.
void check_all_routes(Topology const& topology, std::uint32_t hosts) {
  Routes routes{topology};
  for (std::uint32_t from = 0; from < hosts; ++from)
    for (std::uint32_t to = 0; to < hosts; ++to) static_cast<void>(routes.find(from, to));
}

/// EARL_MYRINET_TOPOLOGY names its file, and BIPCONF the order of its hosts and their routes.
/// Without it there is one for `usual_hosts`.
ConfiguredNetwork network_for(JobFacts const& facts, std::uint32_t usual_hosts) {
  char const* const file = variable("EARL_MYRINET_TOPOLOGY");
  if (!file) return {.topology = usual_topology(usual_hosts)};
  char const* const configuration = variable("BIPCONF");
  auto network = configuration ? configure(read_topology(file), configuration)
                               : ConfiguredNetwork{.topology = read_topology(file)};
  auto const hosts = network.topology.hosts.size();
  if (hosts < facts.initial)
    throw Error(Fault::full, "{} has {} hosts, and the job needs {}",
                configuration ? configuration : file, hosts, facts.initial);
  if (!configuration) check_all_routes(network.topology, facts.initial);
  return network;
}

class FabricJob final : public PreparedJob {
 public:
  FabricJob(JobFacts const& facts, ConfiguredNetwork const& network)
      : memory_(facts.capacity, network.topology, network.routes),
        hosts_(network.topology.hosts.size()),
        initial_(facts.initial) {
    auto& head = memory_.head();
    head.cpus = usable_processors();
    head.processes = facts.initial;
    // Like shared memory: with more processes than CPUs the fence belongs where it is cheap.
    head.one_sided = facts.initial <= head.cpus && Fences::can_be_one_sided() ? 1 : 0;
  }

  ~FabricJob() override { report_counters(memory_); }

  std::vector<int> descriptors(Rank rank) override {
    if (memory_.slot(checked(rank)) >= hosts_)
      throw Error(Fault::full, "the network has no host for process {}: it has {}", number(rank),
                  hosts_);
    memory_.reserve_queue(rank);
    return {memory_.descriptor()};
  }

  void registered(Rank rank, std::int32_t) override {
    if (memory_.set_living(checked(rank)) && index(rank) >= initial_)
      memory_.head().processes.fetch_add(1, std::memory_order_relaxed);
  }

  void notify_control(Rank rank) override {
    auto& row = memory_.host(checked(rank));
    row.control_notices.fetch_add(1, std::memory_order_release);
    fence();
    wake_if_asleep(row);
  }

  void ended(Rank rank) override {
    auto const before = memory_.state(checked(rank));
    if (before == ProcessState::ended) return;
    if (before == ProcessState::living || index(rank) < initial_)
      memory_.head().processes.fetch_sub(1, std::memory_order_relaxed);
    memory_.mark_ended(rank);
  }

  /// Packets say which rank they are from and to, and no two processes have the same.
  bool reuses() const override { return true; }
  void named(Rank rank) override {
    if (memory_.slot(rank) != index(rank)) memory_.begin(rank);
  }
  bool release(Rank) override { return true; }

 private:
  Rank checked(Rank rank) const {
    EARL_CHECK(memory_.has(rank), "rank {}", number(rank));
    return rank;
  }

  Memory memory_;
  std::size_t hosts_;
  std::uint32_t initial_;
};

/// The absolute path in BIPCONF, for processes that work in another directory; empty: there is
/// none.
std::string absolute_configuration() {
  char const* const file = variable("BIPCONF");
  return file ? std::filesystem::absolute(file).string() : std::string{};
}

enum class Carrier { fabric, cables };

/// EARL_MYRINET_LINK; none: it is left to Earl. Throws Error when it makes no sense.
std::optional<Carrier> wanted_carrier() {
  char const* const text = variable("EARL_MYRINET_LINK");
  if (!text) return {};
  const std::string_view word = text;
  if (word == "fabric") return Carrier::fabric;
  if (word == "cables") return Carrier::cables;
  throw Error(
      "EARL_MYRINET_LINK is \"{}\"; it can be fabric (switches in memory) or cables (switches that "
      "are processes)",
      word);
}

/// Networks of Myrinet's kind were reached by a setting of this back end before.
std::string_view stands_for() {
  char const* const text = variable("EARL_MYRINET_LINK");
  return text && std::string_view{text} == "ofi" ? "libfabric" : "";
}

/// EARL_MYRINET_LOSS. Throws Error when it makes no sense.
net::OnLoss on_loss(net::OnLoss usual) {
  char const* const text = variable("EARL_MYRINET_LOSS");
  if (!text) return usual;
  const std::string_view word = text;
  if (word == "end") return net::OnLoss::end;
  if (word == "repair") return net::OnLoss::repair;
  throw Error(
      "EARL_MYRINET_LOSS is \"{}\"; a packet that is lost can end the job (end), or be sent again "
      "(repair)",
      word);
}

/// Refuses unsupported settings before the processes start.
void check_wishes() {
  static_cast<void>(FaultInjection::from_environment());
  static_cast<void>(on_loss(net::OnLoss::end));
}

/// A switch process drops blocked packets, also of a host that computes.
constexpr net::OnLoss usual_on_cables = net::OnLoss::repair;
/// For a network of processes without a description: room for later ones.
constexpr std::uint32_t least_hosts = 16;

std::unique_ptr<PreparedJob> prepare(JobFacts const& facts) {
  auto const wanted = wanted_carrier();
  auto const way = wanted.value_or(Carrier::fabric);
  if (char const* const running = variable("EARL_MYRINET_NETWORK")) {
    if (wanted && way != Carrier::cables)
      throw Error("EARL_MYRINET_NETWORK names a network of cables, and EARL_MYRINET_LINK is {}",
                  variable("EARL_MYRINET_LINK"));
    check_wishes();
    return cables::prepare_on(running, absolute_configuration(), facts);
  }
  check_wishes();
  if (way == Carrier::cables)
    return cables::prepare(facts, network_for(facts, std::max(least_hosts, facts.initial)));
  return std::make_unique<FabricJob>(facts, network_for(facts, facts.capacity));
}

std::unique_ptr<Port> join(std::span<int const> descriptors, Rank rank) {
  if (descriptors.size() == cables::descriptors_each)
    return cables::join(descriptors, rank, on_loss(usual_on_cables));
  if (descriptors.size() != 1)
    throw Error("Myrinet needs one or four descriptors from EXEC, not {}; install Earl again",
                descriptors.size());
  auto memory = std::make_unique<Memory>(Descriptor(descriptors[0]));
  auto const policy = WaitPolicy::from(WaitSettings::from_environment(), memory->head().cpus);
  return std::make_unique<net::LinkPort>(
      std::make_unique<FabricLink>(std::move(memory), rank, FaultInjection::from_environment()),
      rank, policy, on_loss(net::OnLoss::end));
}

}  // namespace
}  // namespace myrinet

extern Backend const myrinet_back_end;
Backend const myrinet_back_end{
    .name = "myrinet",
    .summary = "processes of one host, through a fabric of Myrinet's switches",
    .prepare = myrinet::prepare,
    .join = myrinet::join,
    .stands_for = myrinet::stands_for,
};

}  // namespace earl
