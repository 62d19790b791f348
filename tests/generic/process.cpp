// SPDX-License-Identifier: BSD-3-Clause
#include "generic/process.hpp"

#include <catch2/catch.hpp>

#include "generic/base/error.hpp"

using namespace earl;
using Catch::Matchers::Contains;

/// No other test of this program takes one.
TEST_CASE("front ends get different slots until there are no more, and then an error") {
  for (std::size_t i = 0; i < most_extensions; ++i) CHECK(new_slot() == i);
  CHECK_THROWS_WITH(new_slot(), Contains("room for the state of 8 front ends"));
}
