// SPDX-License-Identifier: BSD-3-Clause
/// A network of switches and hosts in virtual time: each tick, every cable carries one byte each
/// way. Exact, and the same each time.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "backends/myrinet/block_timeout.hpp"
#include "backends/myrinet/routes.hpp"
#include "backends/myrinet/switch.hpp"
#include "backends/net/link.hpp"

namespace earl::myrinet::test {

/// A packet as a host hands it to its cable, without route and sum.
using Packet = std::vector<std::uint8_t>;

class SimulatedNetwork {
 public:
  /// `block_timeout`: ticks that a packet may be blocked before it is dropped; 50 ms are 8 million.
  explicit SimulatedNetwork(Topology topology, std::uint64_t timeout = 8'000'000);

  Topology const& topology() const { return topology_; }
  void send(std::uint32_t host, Route const& route, Packet const& packet) {
    send(host, route.bytes(), packet);
  }
  /// By a route of any length.
  void send(std::uint32_t host, std::span<const std::uint8_t> way, Packet const& packet);
  bool sending(std::uint32_t host) const { return !hosts_[host].out.empty(); }

  struct Arrival {
    Packet packet{};
    bool sound = false;  ///< its sum is right
  };
  std::deque<Arrival>& arrivals(std::uint32_t host) { return hosts_[host].in; }

  void tick();
  /// Until nothing moves for `calm` ticks; says how many went by before.
  std::uint64_t run(std::uint64_t calm = 1000);
  Switch const& box(std::uint32_t number) const { return boxes_[number]; }
  std::uint64_t drops() const;

  /// The fault for each byte that `host` sends: the number of the byte, and its new value.
  using Meddler = std::function<std::optional<Symbol>(std::uint64_t, Symbol)>;
  void meddle(std::uint32_t host, Meddler meddler) { hosts_[host].meddler = std::move(meddler); }
  /// The host takes a byte only so often; 0: none.
  void slow_down(std::uint32_t host, std::uint64_t every) { hosts_[host].every = every; }

 private:
  struct Host {
    std::deque<Symbol> out{};
    std::deque<Symbol> slack{};  ///< come in, and not taken yet
    Packet coming{};
    std::deque<Arrival> in{};
    Meddler meddler{};
    std::uint64_t sent = 0;  ///< bytes
    std::uint64_t every = 1;
    bool stopped = false;
  };

  std::optional<Symbol> host_sends(Host& host);
  void host_takes(Host& host);
  void carry(Plug const& to, Symbol symbol);
  void spread_stops();
  void drop_blocked();

  Topology topology_;
  std::vector<Switch> boxes_;
  std::vector<Host> hosts_;
  std::vector<BlockTimeout> timeout_;  ///< by switch
  std::uint64_t now_ = 0;
  std::uint64_t moved_ = 0;  ///< the tick in which a byte moved last
};

/// A host of the network as a link: an engine can be put on it.
class NetworkLink final : public net::Link {
 public:
  NetworkLink(SimulatedNetwork& network, Rank me)
      : network_(network), routes_(network.topology()), me_(me) {}

  net::LinkFacts facts() const override { return {.frame = 2048}; }
  bool send(Rank to, Gather const& frame) override;
  std::size_t progress(net::FrameSink& sink, std::size_t most) override;
  bool ready() override { return !network_.arrivals(host()).empty(); }
  void sleep(Deadline) override { network_.run(); }
  void wake() override {}
  std::string route_description(Rank to) const override {
    return network_.topology().text_for({End::a_host, static_cast<std::uint32_t>(index(to)), 0});
  }

 private:
  std::uint32_t host() const { return static_cast<std::uint32_t>(index(me_)); }

  SimulatedNetwork& network_;
  Routes routes_;
  Rank const me_;
};

}  // namespace earl::myrinet::test
