// SPDX-License-Identifier: BSD-3-Clause
#include "backends/myrinet/cables/job.hpp"

#include <vector>

#include "backends/myrinet/cables/link.hpp"
#include "backends/myrinet/cables/running_network.hpp"
#include "backends/myrinet/counters.hpp"
#include "backends/net/port.hpp"
#include "generic/base/error.hpp"
#include "generic/system/installed_files.hpp"
#include "generic/system/processors.hpp"
#include "generic/system/sockets.hpp"

namespace earl::myrinet::cables {

namespace {

/// Then the first packet makes the connection, or is the one to say why there is none.
constexpr std::chrono::seconds connect_timeout{10};

class CablesJob final : public PreparedJob {
 public:
  CablesJob(JobFacts const& facts, std::unique_ptr<RunningNetwork> network, std::size_t hosts)
      : network_(std::move(network)),
        memory_(network_->memory()),
        board_(network_->board()),
        bells_(facts.capacity),
        listeners_(facts.capacity),
        hosts_(hosts),
        initial_(facts.initial) {
    memory_.head().cpus = usable_processors();
    memory_.head().processes = facts.initial;
  }
  ~CablesJob() override { report_counters(memory_, board_.head().rejected_connections.load()); }

  std::vector<int> descriptors(Rank rank) override {
    if (index(rank) >= hosts_)
      throw Error(
          Fault::full,
          "the network has no host for process {}: it has {}; EARL_MYRINET_TOPOLOGY may name "
          "a larger one",
          number(rank), hosts_);
    auto const& bell = bells_.of(rank);
    auto& listener = listeners_[index(rank)];
    if (!listener) {
      listener = listen_at("127.0.0.1");
      board_.set_address(rank, to_text(own_end(listener.get())));
    }
    return {memory_.descriptor(), board_.descriptor(), bell.get(), listener.get()};
  }

  void registered(Rank rank, std::int32_t) override {
    if (index(rank) >= hosts_) return;
    auto const before =
        memory_.host(rank).state.exchange(static_cast<std::uint32_t>(ProcessState::living));
    if (before == static_cast<std::uint32_t>(ProcessState::unborn) && index(rank) >= initial_)
      memory_.head().processes.fetch_add(1);
  }

  void notify_control(Rank rank) override {
    if (index(rank) >= hosts_) return;
    board_.row(rank).control_notices.fetch_add(1, std::memory_order_release);
    bells_.ring(rank);
  }

  void ended(Rank rank) override {
    if (index(rank) >= hosts_ || board_.has_ended(rank)) return;
    if (memory_.state(rank) == ProcessState::living || index(rank) < initial_)
      memory_.head().processes.fetch_sub(1);
    listeners_[index(rank)].close();
    bells_.drop(rank);
    board_.mark_ended(rank);
    bells_.ring_all();
  }

  std::uint32_t rejected_connections() override {
    return board_.head().rejected_connections.load();
  }

  int wait_fd() const override { return network_->ended_fd(); }
  void handle_event() override {
    throw Error("{}; the job cannot go on without it", network_->error_summary());
  }

 private:
  std::unique_ptr<RunningNetwork> network_;
  Memory& memory_;
  tcp::Board& board_;
  Bells bells_;
  std::vector<Descriptor> listeners_;  ///< by Rank; none: not started, or ended
  std::size_t hosts_;
  std::uint32_t initial_;
};

std::string find_program() {
  auto path = find_part("backends/myrinet/cables", "earl-myrisw");
  if (path.empty()) throw Error("earl-myrisw is missing; install Earl again");
  return path;
}

}  // namespace

std::unique_ptr<PreparedJob> prepare(JobFacts const& facts, ConfiguredNetwork const& network) {
  return std::make_unique<CablesJob>(facts, start_network(facts.capacity, network, find_program()),
                                     network.topology.hosts.size());
}

std::unique_ptr<PreparedJob> prepare_on(std::string const& name, std::string const& configuration,
                                        JobFacts const& facts) {
  auto network = take_network(name, configuration);
  auto const hosts = network->memory().capacity();
  if (hosts < facts.initial)
    throw Error(Fault::full, "the network {} has {} hosts, and the job needs {}", name, hosts,
                facts.initial);
  return std::make_unique<CablesJob>(facts, std::move(network), hosts);
}

std::unique_ptr<Port> join(std::span<int const> descriptors, Rank rank, net::OnLoss on_loss) {
  auto const take = [&](std::size_t which) { return Descriptor(descriptors[which]); };
  LinkResources resources{.memory = std::make_unique<Memory>(take(0)),
                          .board = std::make_unique<tcp::Board>(take(1)),
                          .bell = Bell(take(2)),
                          .listener = take(3)};
  auto settings = WaitSettings::from_environment();
  // The switch and the peer behind it that it waits for need CPUs too.
  if (!settings.wait) settings.wait = "block";
  auto const policy = WaitPolicy::from(settings, resources.memory->head().cpus);
  auto link =
      std::make_unique<CableLink>(std::move(resources), rank, FaultInjection::from_environment());
  link->connect_cable(Clock::now() + connect_timeout);
  return std::make_unique<net::LinkPort>(std::move(link), rank, policy, on_loss);
}

}  // namespace earl::myrinet::cables
