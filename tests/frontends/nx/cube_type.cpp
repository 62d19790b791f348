// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/cube_type.hpp"

#include <catch2/catch.hpp>

#include "frontends/nx/errors.hpp"

using namespace earl::nx;

namespace {

int error_of(std::string_view type) {
  try {
    (void)nodes_of_type(type);
  } catch (NxError const& error) {
    return error.number();
  }
  return 0;
}

}  // namespace

TEST_CASE("a cube type is a count or a dimension, and ignored letters") {
  CHECK(nodes_of_type("4") == 4);
  CHECK(nodes_of_type("d3") == 8);
  CHECK(nodes_of_type("d0") == 1);
  CHECK(nodes_of_type("8m4") == 8);
  CHECK(nodes_of_type("16rx") == 16);
  CHECK_FALSE(nodes_of_type(""));
}

TEST_CASE("a type that is no hypercube is no cube type") {
  for (auto const* type : {"0", "3", "12", "d16", "d", "many", "-4"})
    CHECK(error_of(type) == EQNOCUBE);
  CHECK(error_of("1234567890123456") == EQTYPENAMELEN);
}
