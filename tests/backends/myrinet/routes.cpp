// SPDX-License-Identifier: BSD-3-Clause
/// Routes: they get there, with at most four switches, and cannot block one another in a circle.
#include "backends/myrinet/routes.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

#include "generic/base/error.hpp"

using namespace earl;
using namespace earl::myrinet;
using Catch::Matchers::Contains;

namespace {

/// A cable in one direction: the switch that sends into it, and by which port.
using Channel = std::pair<std::uint32_t, std::uint32_t>;

/// Which channel a packet that holds another may wait for.
class Dependencies {
 public:
  void add(Topology const& all, std::uint32_t from, Route const& route) {
    Plug at = all.hosts[from].cabled_to;
    Channel const* before = nullptr;
    for (auto const byte : route.bytes()) {
      auto const [known, fresh] = channels_.try_emplace({at.number, port_out(at.port, byte)});
      if (before) channels_[*before].insert(known->first);
      before = &known->first;
      at = all.switches[at.number].ports[known->first.second];
    }
  }
  bool circular() const {
    std::map<Channel, int> state;
    for (auto const& [channel, waits] : channels_)
      if (comes_back(channel, state)) return true;
    return false;
  }

 private:
  bool comes_back(Channel const& channel, std::map<Channel, int>& state) const {
    auto& here = state[channel];
    if (here != 0) return here == 1;
    here = 1;
    for (auto const& next : channels_.at(channel))
      if (comes_back(next, state)) return true;
    state[channel] = 2;
    return false;
  }

  std::map<Channel, std::set<Channel>> channels_;
};

void check_all_routes(Topology const& all) {
  Routes routes{all};
  Dependencies waits;
  for (std::uint32_t from = 0; from < all.hosts.size(); ++from)
    for (std::uint32_t to = 0; to < all.hosts.size(); ++to) {
      auto const route = routes.find(from, to);
      REQUIRE(route.size() <= most_switches_on_the_way);
      REQUIRE(follow(all, from, route) == to);
      waits.add(all, from, route);
    }
  CHECK_FALSE(waits.circular());
}

/// Switches in a circle, a host on each.
Topology circle(std::uint32_t size) {
  Topology all;
  for (std::uint32_t i = 0; i < size; ++i) all.switches.push_back({{}, std::vector<Plug>(4)});
  for (std::uint32_t i = 0; i < size; ++i) {
    all.hosts.push_back({.name = std::to_string(i)});
    all.cable({End::a_host, i, 0}, {End::a_switch, i, 0});
    all.cable({End::a_switch, i, 1}, {End::a_switch, (i + 1) % size, 2});
  }
  return all;
}

/// A connected network with random cables: no way is long.
Topology tangle(unsigned seed) {
  std::minstd_rand random{seed};
  Topology all;
  constexpr std::uint32_t size = 7;
  for (std::uint32_t i = 0; i < size; ++i) {
    all.switches.push_back({std::to_string(i), std::vector<Plug>(16)});
    all.hosts.push_back({.name = std::to_string(i)});
    all.cable({End::a_host, i, 0}, {End::a_switch, i, 0});
    if (i != 0) all.cable({End::a_switch, 0, i}, {End::a_switch, i, 1});
  }
  for (std::uint32_t port = 8; port < 12; ++port) {
    auto const a = static_cast<std::uint32_t>(random() % size);
    auto const b = static_cast<std::uint32_t>(random() % size);
    if (a != b) all.cable({End::a_switch, a, port}, {End::a_switch, b, port});
  }
  return all;
}

}  // namespace

TEST_CASE("all routes of usual networks get there and never block in a circle") {
  for (std::uint32_t const hosts : {1U, 2U, 8U, 16U, 40U, 100U, 256U})
    check_all_routes(usual_topology(hosts));
}

TEST_CASE("routes in circles of switches never block in a circle") {
  check_all_routes(circle(3));
  check_all_routes(circle(4));
}

TEST_CASE("routes in tangled networks never block in a circle") {
  for (unsigned seed = 0; seed < 50; ++seed) check_all_routes(tangle(seed));
}

TEST_CASE("the proof can fail: routes that all go one way round do block") {
  auto const all = circle(4);
  Dependencies waits;
  for (std::uint32_t from = 0; from < 4; ++from) {
    Route route;
    route.append(route_byte(0, 1));
    route.append(route_byte(2, 1));
    route.append(route_byte(2, 0));
    CHECK(follow(all, from, route) == (from + 2) % 4);
    waits.add(all, from, route);
  }
  CHECK(waits.circular());
}

TEST_CASE("a missing route is reported") {
  auto const far = parse_topology(
      "switch a 4\nswitch b 4\nswitch c 4\nswitch d 4\nswitch e 4\n"
      "cable a:0 b:1\ncable b:0 c:1\ncable c:0 d:1\ncable d:0 e:1\nhost x a:3\nhost y e:3\nhost z "
      "d:3",
      "net");
  Routes routes{far};
  CHECK(routes.find(0, 2).size() == 4);
  CHECK_THROWS_WITH(routes.find(0, 1),
                    "5 switches are between host x and host y: Myrinet's routes "
                    "have at most 4");
  auto const apart = parse_topology("switch a 4\nswitch b 4\nhost x a:0\nhost y b:0", "net");
  CHECK_THROWS_WITH(
      Routes{apart}.find(1, 0),
      "no route from host y to host x: no cables join them; add cables to the topology");
}

TEST_CASE("a route that leads nowhere is reported with the place") {
  auto const all = circle(3);
  auto const to = [&](std::initializer_list<std::uint8_t> bytes) {
    Route route;
    for (auto const byte : bytes) route.append(byte);
    return route;
  };
  CHECK(follow(all, 0, to({1, 0})) == 1);
  CHECK_THROWS_WITH(follow(all, 0, to({3})), Contains("port 3, which has no cable"));
  CHECK_THROWS_WITH(follow(all, 0, to({77})), Contains("port 77, which has no cable"));
  CHECK_THROWS_WITH(follow(all, 0, to({1})), Contains("is too short"));
  CHECK_THROWS_WITH(follow(all, 0, to({1, 0, 2})), Contains("is too long"));
}

TEST_CASE("a route byte means the same at both ends") {
  for (unsigned in = 0; in < most_ports; ++in)
    for (unsigned out = 0; out < most_ports; ++out) CHECK(port_out(in, route_byte(in, out)) == out);
}
