// SPDX-License-Identifier: BSD-3-Clause
#include "generic/base/number.hpp"

#include <catch2/catch.hpp>
#include <cstdint>

using namespace earl;

TEST_CASE("a number is the whole of its text") {
  CHECK(number_from<int>("42") == 42);
  CHECK(number_from<int>("-3") == -3);
  CHECK(number_from<std::uint32_t>("40001", 16) == 0x40001U);
  for (char const* const text : {"", " 1", "1 ", "1x", "x", "+1", "0x10"})
    CHECK_FALSE(number_from<int>(text));
}

TEST_CASE("a variable that is no number stands for none") {
  char const* const name = "EARL_TEST_NUMBER";
  ::unsetenv(name);
  CHECK(number_in_variable(name, 7U) == 7U);
  ::setenv(name, "12", 1);
  CHECK(number_in_variable(name, 7U) == 12U);
  ::setenv(name, "twelve", 1);
  CHECK(number_in_variable(name, 7U) == 7U);
  ::unsetenv(name);
}

TEST_CASE("a number that does not fit is none") {
  CHECK(number_from<std::uint32_t>("4294967295") == 0xffff'ffffU);
  CHECK_FALSE(number_from<std::uint32_t>("4294967296"));
  CHECK_FALSE(number_from<std::uint32_t>("-1"));
}
