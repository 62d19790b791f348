// SPDX-License-Identifier: BSD-3-Clause
/// Networks found out by scouts are as they were described: cables by port, hosts, and routes.
#include "backends/myrinet/explore.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "generic/base/error.hpp"
#include "tests/backends/myrinet/network.hpp"
#include "tests/sanitized.hpp"

using namespace earl;
using namespace earl::myrinet;
using namespace earl::myrinet::test;
using Catch::Matchers::Contains;

namespace {

constexpr std::uint64_t timeout = 300;  ///< ticks
constexpr std::uint64_t calm = timeout + 100;

/// The first host of a network in virtual time, and the interfaces of the others.
class NetworkScouts final : public Scouts {
 public:
  explicit NetworkScouts(Topology topology) : network_(std::move(topology), timeout) {}

  std::vector<ScoutReply> send(std::vector<ScoutProbe> const& probes) override {
    std::vector<ScoutReply> replies(probes.size());
    for (std::uint32_t i = 0; i < probes.size(); ++i) {
      write(0, probes[i].way, {.number = i, .back = probes[i].back});
      network_.run(calm);
      for (std::uint32_t host = 1; host < network_.topology().hosts.size(); ++host) answer(host);
      network_.run(calm);
      collect(replies);
    }
    return replies;
  }

 private:
  void write(std::uint32_t host, Way const& way, Scout const& scout) {
    auto const bytes = packet_of(scout);
    Packet packet;
    for (auto const byte : bytes) packet.push_back(std::to_integer<std::uint8_t>(byte));
    network_.send(host, way, packet);
  }
  std::optional<Scout> next(std::uint32_t host) {
    auto& arrivals = network_.arrivals(host);
    if (arrivals.empty()) return {};
    auto const arrival = std::move(arrivals.front());
    arrivals.pop_front();
    // With a byte of its route still there it is no valid packet.
    auto const scout = scout_in(std::as_bytes(std::span{arrival.packet}));
    return scout && arrival.sound ? *scout : Scout{.number = ~0U};
  }
  void answer(std::uint32_t host) {
    auto const& box = network_.topology().hosts[host];
    while (auto const scout = next(host))
      if (scout->kind == Scout::Kind::question && !scout->back.empty())
        write(host, scout->back,
              {.kind = Scout::Kind::answer,
               .number = scout->number,
               .name = fmt::format("{} {}", box.name, box.unit)});
  }
  void collect(std::vector<ScoutReply>& replies) {
    while (auto const scout = next(0)) {
      if (scout->number >= replies.size()) continue;
      if (scout->kind == Scout::Kind::answer) replies[scout->number].host = scout->name;
      if (scout->kind == Scout::Kind::question) replies[scout->number].came_back = true;
    }
  }

  SimulatedNetwork network_;
};

/// Compares two networks from one cable on.
class Comparison {
 public:
  Comparison(Topology const& described, Topology const& found)
      : described_(described), found_(found) {
    same(described.hosts[0].cabled_to, found.hosts[0].cabled_to);
    CHECK(there_.size() == found.switches.size());
  }

 private:
  void same(Plug const& one, Plug const& other) {
    REQUIRE(one.end == other.end);
    REQUIRE(one.port == other.port);
    if (one.end == End::a_host) {
      CHECK(described_.hosts[one.number].name == found_.hosts[other.number].name);
      CHECK(described_.hosts[one.number].unit == found_.hosts[other.number].unit);
    }
    if (one.end != End::a_switch) return;
    auto const [known, fresh] = there_.try_emplace(one.number, other.number);
    REQUIRE(known->second == other.number);
    if (!fresh) return;
    auto const& ports = described_.switches[one.number].ports;
    auto const& seen = found_.switches[other.number].ports;
    for (std::size_t port = 0; port < ports.size(); ++port)
      same(ports[port], port < seen.size() ? seen[port] : Plug{});
  }

  Topology const& described_;
  Topology const& found_;
  std::map<std::uint32_t, std::uint32_t> there_;  ///< the number that a switch was found by
};

/// Switches that are all joined, with more cables than that takes.
Topology random_network(unsigned seed) {
  std::mt19937 random{seed};
  auto const below = [&](std::size_t most) { return static_cast<std::uint32_t>(random() % most); };
  Topology all;
  auto const free_port = [&](std::uint32_t box) -> std::optional<Plug> {
    auto const& ports = all.switches[box].ports;
    for (auto port = below(ports.size()), i = 0U; i < ports.size(); ++i, ++port)
      if (Plug const at{End::a_switch, box, static_cast<std::uint32_t>(port % ports.size())};
          all.at(at).end == End::nothing)
        return at;
    return {};
  };
  auto const join = [&](std::uint32_t one, std::uint32_t other) {
    auto const a = free_port(one);
    if (!a) return;
    all.at(*a) = {End::a_host, 0, 0};  // taken while the other is looked for
    auto const b = free_port(other);
    all.at(*a) = {};
    if (b) all.cable(*a, *b);
  };
  auto const add_host = [&](std::uint32_t box) {
    auto const at = free_port(box);
    if (!at) return;
    auto const number = static_cast<std::uint32_t>(all.hosts.size());
    all.hosts.push_back({.name = fmt::format("h{}", number), .unit = static_cast<int>(below(2))});
    all.cable({End::a_host, number, 0}, *at);
  };
  auto const switches = 1 + below(5);
  for (std::uint32_t box = 0; box < switches; ++box) {
    all.switches.push_back({fmt::format("s{}", box), std::vector<Plug>(4 + below(6))});
    if (box > 0) join(box, below(box));
    add_host(box);
  }
  for (auto more = below(6); more > 0; --more) join(below(switches), below(switches));
  for (auto more = below(6); more > 0; --more) add_host(below(switches));
  return all;
}

std::string me(Topology const& network) {
  return fmt::format("{} {}", network.hosts[0].name, network.hosts[0].unit);
}

}  // namespace

TEST_CASE("scouts find random networks as they were described") {
  auto const seed = GENERATE(range(0U, testing::times(15U, 4U)));
  CAPTURE(seed);
  auto const described = random_network(seed);
  NetworkScouts scouts{described};
  auto const found = explore(scouts, me(described));
  CHECK(found.hosts.size() == described.hosts.size());
  Comparison{described, found};
}

TEST_CASE("scouts find cables side by side, circles, and one from a switch to itself") {
  auto const described = parse_topology(
      "switch a 8\nswitch b 8\nswitch c 8\ncable a:0 b:7\ncable a:1 b:6\ncable b:0 c:0\n"
      "cable c:5 a:5\ncable c:1 c:2\nhost x a:7\nhost y c:7\nhost x 1 b:3",
      "net");
  NetworkScouts scouts{described};
  auto const found = explore(scouts, "x");
  Comparison{described, found};
  CHECK(found.switches.size() == 3);
  CHECK(Routes{found}.find(0, 1).size() == 2);
}

TEST_CASE("a host that is cabled to nothing finds nothing") {
  Topology alone;
  alone.hosts.push_back({.name = "x"});
  NetworkScouts scouts{alone};
  CHECK_THROWS_WITH(explore(scouts, "x"), "no switch is at the other end of the cable of host x");
}

TEST_CASE("a packet that is no scout is refused, however similar") {
  auto const whole = packet_of({.number = 7, .back = {1, 2, 3}});
  auto const scout = scout_in(whole);
  REQUIRE(scout);
  CHECK(scout->number == 7);
  CHECK(scout->back == Way{1, 2, 3});
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK_FALSE(scout_in(Bytes{whole}.first(size)));
  auto other = whole;
  other[0] = {};
  CHECK_FALSE(scout_in(other));
  other = whole;
  other[8] = std::byte{2};
  CHECK_FALSE(scout_in(other));
  CHECK(scout_in(packet_of({.kind = Scout::Kind::answer, .name = "b 1"}))->name == "b 1");
}
