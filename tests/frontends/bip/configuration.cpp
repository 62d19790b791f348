// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/bip/configuration.hpp"

#include <catch2/catch.hpp>

#include "generic/base/error.hpp"

using namespace earl;
using namespace earl::bip;

namespace {

std::string failure_of(auto body) {
  try {
    body();
  } catch (Error const& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE(
    "comments and blank lines count nowhere, numbers may be hexadecimal, lines end as in DOS") {
  auto const read = parse_configuration(
      "# two nodes\n\n2\r\nalpha 1\n256\n  0x1f 2 3 4\r\n\nbeta\n#\n5\n256", "file");
  REQUIRE(read.nodes.size() == 2);
  CHECK(read.nodes[0].host == "alpha");
  CHECK(read.nodes[0].unit == 1);
  CHECK(read.nodes[0].routes[1] == std::vector{31, 2, 3, 4});
  CHECK(read.nodes[1].unit == 0);
  CHECK(read.nodes[1].routes[0] == std::vector{5});
}

TEST_CASE("a configuration is written as it was read") {
  auto const made = on_one_switch({"a", "b", "c"});
  auto const again = parse_configuration(text_of(made), "file");
  REQUIRE(again.nodes.size() == 3);
  CHECK(again.nodes[2].routes == made.nodes[2].routes);
  CHECK(again.nodes[1].routes[1] == std::vector{no_switch});
  CHECK(failure_of([] { on_one_switch(std::vector<std::string>(257, "x")); }) != "");
}

TEST_CASE("a host is found by its full name, else by the part before the first dot") {
  auto const three = on_one_switch({"a.here", "b", "b.there"});
  CHECK(node_of_host(three, 3, "a", "file") == 0);
  CHECK(node_of_host(three, 3, "a.elsewhere", "file") == 0);
  CHECK(node_of_host(three, 3, "b", "file") == 1);
  CHECK(failure_of([&] { node_of_host(three, 3, "b.x", "file"); }).find("is 2 nodes") !=
        std::string::npos);
  CHECK(failure_of([&] { node_of_host(three, 1, "b", "file"); }).find("does not name") !=
        std::string::npos);
}

TEST_CASE("any text is read or refused, never worse") {
  for (char const* text : {"1", "4096", "99999999999", "1\n\n\n", "2\na\n1\n2\n", "1\na 0\n0x\n",
                           "1\na 0\n0x101\n", "1\na 99999999999999\n1\n"})
    CHECK(failure_of([&] { parse_configuration(text, "file"); }).starts_with("file"));
}
