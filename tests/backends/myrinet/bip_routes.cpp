// SPDX-License-Identifier: BSD-3-Clause
/// Configurations of BIP on a network: their order, their routes, their mistakes.
#include "backends/myrinet/bip_routes.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>

#include "backends/myrinet/routes.hpp"
#include "generic/base/error.hpp"

using namespace earl;
using namespace earl::myrinet;
using Catch::Matchers::Contains;

namespace {

/// A file of its own, for as long as it is looked at.
class File {
 public:
  explicit File(std::string const& text) {
    ::close(::mkstemp(name_.data()));
    std::ofstream{name_} << text;
  }
  File(File const&) = delete;
  File& operator=(File const&) = delete;
  ~File() { ::unlink(name_.c_str()); }
  std::string const& name() const { return name_; }

 private:
  std::string name_ = "/tmp/earl-bipconf-XXXXXX";
};

Topology network() {
  return parse_topology(
      "switch left 4\nswitch right 4\ncable left:3 right:3\n"
      "host a left:0\nhost b left:1\nhost c right:0\nhost c 1 right:1\n",
      "net");
}

void check_routes_refused(std::string const& text, std::string const& why) {
  File const file{text};
  CHECK_THROWS_WITH(configure(network(), file.name()), Contains(why));
}

}  // namespace

TEST_CASE("the nodes of a configuration are the hosts, in its order, with its routes") {
  File const file{"# two nodes\n2\nc 1\n256\n3 0x0\n\na 0\n131 190\n256\n"};
  auto const [topology, routes] = configure(network(), file.name());
  REQUIRE(topology.hosts.size() == 2);
  CHECK(topology.hosts[0].name == "c");
  CHECK(topology.hosts[0].unit == 1);
  CHECK(topology.switches[1].ports[1] == Plug{End::a_host, 0, 0});
  CHECK(topology.switches[0].ports[0] == Plug{End::a_host, 1, 0});
  CHECK(topology.switches[0].ports[1].end == End::nothing);
  REQUIRE(routes.size() == 4);
  CHECK(follow(topology, 0, routes[1]) == 1);
  CHECK(follow(topology, 1, routes[2]) == 0);
  CHECK(routes[0].size() == 0);
}

TEST_CASE("a configuration that does not suit the network is refused with the reason") {
  CHECK_THROWS_WITH(configure(network(), "/nowhere/bipconf"), Contains("No such file"));
  check_routes_refused("", "is no configuration of BIP");
  check_routes_refused("2\na 0\n256\n", "is no configuration of BIP");
  check_routes_refused("2\na 0\n256\n1\nd 0\n0\n256\n",
                       "names host d with board 0, which the network lacks");
  check_routes_refused("2\na 0\n256\n1\na 0\n0\n256\n", "names host a with board 0 twice");
  check_routes_refused("2\na 0\n256\n0\nb 0\n0\n256\n", "the route from a to b leads to a");
  check_routes_refused("2\na 0\n256\n2\nb 0\n0\n256\n", "switch left, port 2, which has no cable");
  check_routes_refused("2\na 0\n256\n3\nb 0\n0\n256\n", "is too short");
  check_routes_refused("2\na 0\n256\n1 2 3 4 5\nb 0\n0\n256\n", "is no configuration of BIP");
}
