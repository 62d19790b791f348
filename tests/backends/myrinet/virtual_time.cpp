// SPDX-License-Identifier: BSD-3-Clause
/// Whole networks in virtual time, with the packet engine on them, and with faults.
#include <catch2/catch.hpp>

#include "backends/net/engine.hpp"
#include "generic/base/error.hpp"
#include "tests/backends/myrinet/network.hpp"
#include "tests/backends/packet_log.hpp"

using namespace earl;
using namespace earl::myrinet;
using namespace earl::myrinet::test;
using Catch::Matchers::Contains;
using earl::test::eager;
using earl::test::PacketLog;
using earl::test::Words;

namespace {

Topology timed_circle(std::uint32_t size) {
  Topology all;
  for (std::uint32_t i = 0; i < size; ++i) all.switches.push_back({{}, std::vector<Plug>(4)});
  for (std::uint32_t i = 0; i < size; ++i) {
    all.hosts.push_back({.name = std::to_string(i)});
    all.cable({End::a_host, i, 0}, {End::a_switch, i, 0});
    all.cable({End::a_switch, i, 1}, {End::a_switch, (i + 1) % size, 2});
  }
  return all;
}

/// Engines on all hosts of a network.
struct Job {
  explicit Job(Topology const& topology) : network(topology), received(topology.hosts.size()) {
    for (std::size_t i = 0; i < topology.hosts.size(); ++i) {
      const Rank rank{static_cast<std::int32_t>(i)};
      links.push_back(std::make_unique<NetworkLink>(network, rank));
      engines.push_back(std::make_unique<net::Engine>(*links.back(), rank));
    }
  }
  bool send(int from, int to, int tag, std::size_t size = 8) {
    const std::vector<std::byte> payload(size);
    return engines[static_cast<std::size_t>(from)]->send(Rank{to}, eager(from, tag),
                                                         Bytes{payload});
  }
  /// Lets the bytes move, and all hosts take received packets.
  void run_until_quiet() {
    network.run();
    for (std::size_t i = 0; i < engines.size(); ++i)
      while (engines[i]->progress(received[i], 10) != 0) {
      }
  }

  SimulatedNetwork network;
  std::vector<std::unique_ptr<NetworkLink>> links;
  std::vector<std::unique_ptr<net::Engine>> engines;
  std::vector<PacketLog> received;
};

}  // namespace

TEST_CASE("all packets of all hosts come in order, over all networks") {
  auto const hosts = GENERATE(2U, 8U, 16U, 20U);
  Job job{usual_topology(hosts)};
  int const all = static_cast<int>(hosts);
  for (int tag = 0; tag < 3; ++tag)
    for (int shift = 1; shift < all; ++shift) {
      for (int from = 0; from < all; ++from) REQUIRE(job.send(from, (from + shift) % all, tag));
      job.run_until_quiet();
    }
  for (int to = 0; to < all; ++to)
    for (int from = 0; from < all; ++from) {
      Words expected, got;
      for (int tag = 0; tag < 3 && from != to; ++tag)
        expected.push_back(fmt::format("{} {} 8", from, tag));
      for (auto const& word : job.received[static_cast<std::size_t>(to)].says)
        if (word.starts_with(fmt::format("{} ", from))) got.push_back(word);
      CHECK(got == expected);
    }
  CHECK(job.network.drops() == 0);
}

TEST_CASE("a packet's head is through the network before its tail has left the host") {
  SimulatedNetwork network{
      parse_topology("switch a 4\nswitch b 4\ncable a:0 b:0\nhost x a:1\nhost y b:1", "")};
  Route const route = Routes{network.topology()}.find(0, 1);
  network.send(0, route, Packet(1000, 7));
  // Each switch keeps a byte for a tick: 2 + 1000 + 1 bytes, and about that many ticks.
  CHECK(network.run() < 1020);
  REQUIRE(network.arrivals(1).size() == 1);
  CHECK(network.arrivals(1)[0].sound);
  CHECK(network.arrivals(1)[0].packet == Packet(1000, 7));
}

TEST_CASE("a slow host stops its senders, and loses nothing") {
  Job job{usual_topology(4)};
  job.network.slow_down(1, 7);
  REQUIRE(job.send(0, 1, 1, 500));
  REQUIRE(job.send(2, 1, 2, 500));
  job.run_until_quiet();
  CHECK(job.received[1].says.size() == 2);
  CHECK(job.network.box(0).counters(0).overruns == 0);
  CHECK(job.network.box(0).counters(0).stops > 0);
}

TEST_CASE("a host that takes nothing costs its packets, and only those") {
  SimulatedNetwork network{usual_topology(4), 5000};
  Routes routes{network.topology()};
  network.slow_down(1, 0);
  network.send(0, routes.find(0, 1), Packet(500));
  network.send(2, routes.find(2, 1), Packet(500));
  network.send(3, routes.find(3, 2), Packet(500));
  network.run(20'000);
  CHECK(network.drops() == 2);
  CHECK(network.arrivals(2).size() == 1);
  CHECK(network.arrivals(1).empty());
}

TEST_CASE(
    "routes in a circle block for ever, until packets are dropped; up and down they never do") {
  auto const topology = timed_circle(4);
  SECTION("all one way round") {
    SimulatedNetwork network{topology, 5000};
    for (std::uint32_t host = 0; host < 4; ++host) {
      Route route;
      route.append(route_byte(0, 1));
      route.append(route_byte(2, 1));
      route.append(route_byte(2, 0));
      network.send(host, route, Packet(2000));
    }
    network.run(20'000);
    CHECK(network.drops() > 0);
  }
  SECTION("up and down") {
    SimulatedNetwork network{topology, 5000};
    Routes routes{network.topology()};
    for (std::uint32_t host = 0; host < 4; ++host)
      network.send(host, routes.find(host, (host + 2) % 4), Packet(2000));
    network.run(20'000);
    CHECK(network.drops() == 0);
    for (std::uint32_t host = 0; host < 4; ++host) CHECK(network.arrivals(host).size() == 1);
  }
}

TEST_CASE("a bit that flips on a cable is found, whichever it is") {
  auto const byte = GENERATE(range(0U, 80U, 7U));
  auto const bit = GENERATE(0U, 3U, 7U);
  Job job{usual_topology(4)};
  job.network.meddle(0, [&](std::uint64_t number, Symbol symbol) {
    if (number == byte) symbol.byte ^= static_cast<std::uint8_t>(1U << bit);
    return std::optional{symbol};
  });
  REQUIRE(job.send(0, 1, 1));
  auto const find = [&] {
    job.run_until_quiet();
    job.engines[0]->remind();
    job.run_until_quiet();
  };
  CHECK_THROWS_AS(find(), Error);
}

TEST_CASE("a packet that is lost is missed") {
  Job job{usual_topology(4)};
  auto const size = 1 + 4 + 24 + 40 + 8 + 1U;
  job.network.meddle(0, [&](std::uint64_t number, Symbol symbol) {
    return number < size ? std::nullopt : std::optional{symbol};
  });
  REQUIRE(job.send(0, 1, 1));
  job.run_until_quiet();
  CHECK(job.received[1].says.empty());
  job.engines[0]->remind();
  CHECK_THROWS_WITH(job.run_until_quiet(),
                    Contains("packet 0 of process 0 to process 1 is missing"));
}

TEST_CASE("over a cable that is cut nothing is answered") {
  Job job{usual_topology(4)};
  job.network.meddle(0, [](std::uint64_t number, Symbol symbol) {
    return number < 30 ? std::optional{symbol} : std::nullopt;
  });
  REQUIRE(job.send(0, 1, 1));
  job.run_until_quiet();
  job.engines[0]->remind();
  job.run_until_quiet();
  CHECK(job.engines[0]->unanswered());
  CHECK(job.received[1].says.empty());
}

TEST_CASE("a wrong byte of a route leads to another host, which reports it") {
  Job job{usual_topology(4)};
  job.network.meddle(0, [sum = Crc8{}](std::uint64_t number, Symbol symbol) mutable {
    if (number == 0) symbol.byte = route_byte(0, 2);
    if (symbol.tail) symbol.byte = sum.value();
    sum.add(std::byte{symbol.byte});
    return std::optional{symbol};
  });
  REQUIRE(job.send(0, 1, 1));
  CHECK_THROWS_WITH(job.run_until_quiet(),
                    Contains("a packet of process 0 for process 1 came to process 2: a "
                             "route is wrong"));
}
