// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/hosts/placement.hpp"

#include <catch2/catch.hpp>

#include "generic/base/error.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

const std::vector<RequestedHost> three_hosts{
    {.name = "a", .slots = 2}, {.name = "b"}, {.name = "c"}};

using HostNumbers = std::vector<std::uint32_t>;

/// Where `count` processes come to be that one on the host `from` spawns.
HostNumbers spawned(Placement& placement, std::uint32_t from, std::uint32_t count,
                    HostNumbers wanted = {}) {
  auto round = placement.round(from, count, std::move(wanted));
  HostNumbers hosts;
  for (std::uint32_t n = 0; n < count; ++n) hosts.push_back(round.next(n).visible);
  return hosts;
}

}  // namespace

TEST_CASE("a job of one host has all there") {
  Placement placement({}, {});
  CHECK(placement.of(7) == Place{});
  CHECK(spawned(placement, 0, 2) == HostNumbers{0, 0});
}

TEST_CASE("processes without a requested host fill the hosts") {
  const Placement placement(three_hosts, {});
  CHECK(placement.of(1) == Place{.host = 0, .visible = 0});
  CHECK(placement.of(2) == Place{.host = 1, .visible = 1});
  CHECK(placement.of(4) == Place{.host = 0, .visible = 0});
}

TEST_CASE("spawned processes go round, each spawner's host beginning with the next") {
  Placement placement(three_hosts, {});
  CHECK(spawned(placement, 0, 1) == HostNumbers{1});
  CHECK(spawned(placement, 0, 2) == HostNumbers{2, 0});
  CHECK(spawned(placement, 2, 3) == HostNumbers{0, 1, 2});
  CHECK(spawned(placement, 0, 1) == HostNumbers{1});
}

TEST_CASE("of many each host gets its share in one piece") {
  Placement placement(three_hosts, {});
  CHECK(spawned(placement, 0, 6) == HostNumbers{1, 1, 2, 2, 0, 0});
  CHECK(spawned(placement, 0, 4) == HostNumbers{1, 1, 2, 0});
}

TEST_CASE("some hosts are chosen, and the turn goes on from there") {
  Placement placement(three_hosts, {});
  CHECK(spawned(placement, 0, 3, {2, 0, 2}) == HostNumbers{2, 2, 0});
  CHECK(spawned(placement, 0, 1, {1}) == HostNumbers{1});
  CHECK(spawned(placement, 0, 2) == HostNumbers{1, 2});
  CHECK_THROWS_AS(placement.round(0, 1, {3}), Error);
}

TEST_CASE("a replay shows the recorded hosts, on any host") {
  Placement here({}, three_hosts);
  CHECK(here.of(3) == Place{.host = 0, .visible = 2});
  CHECK(spawned(here, 0, 2) == HostNumbers{1, 2});
  CHECK_FALSE(here.real());
  const Placement there({{.name = "x"}, {.name = "y"}}, three_hosts);
  CHECK(there.of(3) == Place{.host = 1, .visible = 2});
  const Placement again({{.name = "x"}, {.name = "y"}, {.name = "z"}}, three_hosts);
  CHECK(again.of(3) == Place{.host = 2, .visible = 2});
  const Placement of_one(three_hosts, std::vector<RequestedHost>{});
  CHECK(of_one.of(2) == Place{.host = 1, .visible = 0});
}
