// SPDX-License-Identifier: BSD-3-Clause
/// The counters of ports, as a table.
#include "backends/myrinet/counters.hpp"

#include <catch2/catch.hpp>

#include "backends/myrinet/block_timeout.hpp"
#include "backends/myrinet/route.hpp"

using namespace earl;
using namespace earl::myrinet;
using Catch::Matchers::Contains;

TEST_CASE("each cabled port is a line, and one where packets went into nothing") {
  Memory memory{2, parse_topology("switch left 8\nhost a left:0\nhost b left:5\n", "net")};
  auto& port = memory.port(0, 5);
  port.packets = 12;
  port.bytes = 3456;
  port.drops = 7;
  port.sum_errors = 8;
  port.stops = 9;
  port.blocked = 1'500'000;
  memory.port(0, 3).drops = 1;
  auto const text = counters_of(memory);
  CHECK(std::count(text.begin(), text.end(), '\n') == 4);
  CHECK_THAT(text,
             Contains("switch left, port 5      host b                           12           "
                      "3456        7        8        9       1.500\n"));
  CHECK_THAT(text, Contains("switch left, port 3      nothing "));
  CHECK_THAT(text, !Contains("port 1 "));
}

TEST_CASE("block timeout: a packet that waits too long is dropped, one that goes on is not") {
  constexpr unsigned ports = 3;
  Switch box{ports};
  BlockTimeout timeout{ports, 50};
  auto const head = [&](unsigned in) { box.arrive(in, {route_byte(in, 2), false}); };
  head(0);
  head(1);
  REQUIRE(box.waits(1));
  CHECK_FALSE(timeout.look_at_input(box, 1, 1000));
  CHECK(timeout.next() == 1050);
  CHECK_FALSE(timeout.look_at_input(box, 1, 1049));
  SECTION("too long") {
    CHECK(timeout.look_at_input(box, 1, 1050));
    CHECK_FALSE(box.waits(1));
    CHECK(box.counters(1).drops == 1);
    CHECK(timeout.blocked(1) == 50);
    CHECK_FALSE(timeout.next());
  }
  SECTION("the port is free in time") {
    box.arrive(0, {0, true});
    while (box.depart(2)) {
    }
    CHECK_FALSE(timeout.look_at_input(box, 1, 1060));
    CHECK_FALSE(timeout.next());
    CHECK(timeout.blocked(1) == 49);
  }
  SECTION("behind a host that takes nothing") {
    box.set_stop(2, true);
    CHECK_FALSE(timeout.look_at_host(box, 2, 2000));
    CHECK(timeout.look_at_host(box, 2, 2050));
    REQUIRE(box.depart(2));
    CHECK_FALSE(timeout.look_at_host(box, 2, 2051));
  }
  SECTION("behind a host that is only slow") {
    box.set_stop(2, true);
    CHECK_FALSE(timeout.look_at_host(box, 2, 2000));
    box.set_stop(2, false);
    box.arrive(0, {7, false});
    REQUIRE(box.depart(2));
    box.set_stop(2, true);
    CHECK_FALSE(timeout.look_at_host(box, 2, 2060));
  }
}
