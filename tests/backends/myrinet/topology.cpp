// SPDX-License-Identifier: BSD-3-Clause
/// The file that describes a network, and the network there is without one.
#include "backends/myrinet/topology.hpp"

#include <catch2/catch.hpp>

#include "generic/base/error.hpp"

using namespace earl;
using namespace earl::myrinet;
using Catch::Matchers::Contains;

namespace {

Topology parsed(std::string_view text) { return parse_topology(text, "net"); }

void check_refused(std::string_view text, std::string const& why) {
  CHECK_THROWS_WITH(parsed(text), Contains(why));
}

}  // namespace

TEST_CASE("a file describes the cabling") {
  auto const all = parsed(
      "# two switches\n"
      "switch left 4\r\n"
      "switch right 8   # larger\n"
      "\n"
      "cable left:3 right:7\n"
      "host a left:0\n"
      "host a 1 right:0\n");
  CHECK(all.switches[0].ports[3] == Plug{End::a_switch, 1, 7});
  CHECK(all.switches[1].ports[7] == Plug{End::a_switch, 0, 3});
  CHECK(all.switches[1].ports[0] == Plug{End::a_host, 1, 0});
  CHECK(all.hosts[0].cabled_to == Plug{End::a_switch, 0, 0});
  CHECK(all.hosts[1].unit == 1);
  CHECK(all.text_for(all.hosts[1].cabled_to) == "switch right, port 0");
}

TEST_CASE("a fault in a file is reported with its line") {
  check_refused("", "net names no host");
  check_refused("hub a 4\n", "net, line 1: 'hub' is none of switch, cable, host");
  check_refused("switch a\n", "expected: switch NAME PORTS");
  check_refused("switch a 33\n", "a switch has 1 to 32 ports, not 33");
  check_refused("# Z\xc3\xbcrich\nhost Z\xc3\xbcrich a:0\n",
                "net, line 2: byte 0xc3 in a name: use printable ASCII");
  check_refused("switch a 4\nhost h\x7f a:0\n", "line 2: byte 0x7f in a name");
  check_refused("switch a many\n", "'many' is no number");
  check_refused("switch a 4\nswitch a 4\n", "line 2: switch a is defined twice");
  check_refused("switch a 4\nhost h a:4\n", "switch a has no port 4: its ports are 0 to 3");
  check_refused("switch a 4\nhost h b:0\n",
                "unknown switch b: define it above, as `switch b PORTS`");
  check_refused("switch a 4\nhost h a\n", "'a' is no port of a switch");
  check_refused("switch a 4\nhost h a:0\nhost g a:0\n", "switch a, port 0 is cabled to host h");
  check_refused("switch a 4\nhost h a:0\nhost h a:1\n", "host h with board 0 is defined twice");
  check_refused("switch a 4\ncable a:0 a:0\n", "cable from switch a, port 0 to itself");
}

TEST_CASE("without a file the network is as large as the job needs") {
  CHECK(usual_topology(2).switches.size() == 1);
  CHECK(usual_topology(8).switches[0].ports.size() == 8);
  CHECK(usual_topology(16).switches.size() == 1);
  for (std::uint32_t const hosts : {9U, 17U, 57U, 256U, 1000U, 8192U}) {
    auto const all = usual_topology(hosts);
    CHECK(all.hosts.size() == hosts);
    CHECK(all.hosts[0].cabled_to.number == all.hosts[1].cabled_to.number);
  }
  CHECK_THROWS_WITH(usual_topology(10'000), Contains("has room for 8432, not 10000"));
}
