// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/files/extended.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "frontends/nx/errors.hpp"

namespace {

namespace nx = earl::nx;

constexpr auto largest = std::numeric_limits<std::int64_t>::max();
constexpr auto smallest = std::numeric_limits<std::int64_t>::min();

template <class Function>
int error_of(Function function) {
  try {
    function();
  } catch (nx::NxError const& error) {
    return error.number();
  }
  return 0;
}

TEST_CASE("an extended size is 64 bits, low word first") {
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 32,
                                   std::int64_t{0xffffffff}, largest, smallest})
    CHECK(nx::value_of(nx::extended(value)) == value);
  auto const size = nx::extended(0x1'0000'0002);
  CHECK(size.slow == 2);
  CHECK(size.shigh == 1);
}

TEST_CASE("a result that does not fit is EQESIZE") {
  CHECK(error_of([] { nx::sum_of(largest, 1); }) == EQESIZE);
  CHECK(error_of([] { nx::difference_of(smallest, 1); }) == EQESIZE);
  CHECK(error_of([] { nx::product_of(largest, 2); }) == EQESIZE);
  CHECK(error_of([] { nx::quotient_of(std::int64_t{1} << 31, 1); }) == EQESIZE);
  CHECK(error_of([] { nx::quotient_of(smallest, -1); }) == EQESIZE);
  CHECK(error_of([] { nx::one_word(std::int64_t{1} << 31); }) == EQESIZE);
}

TEST_CASE("nothing is divided by zero") {
  CHECK(error_of([] { nx::quotient_of(7, 0); }) == EQPARAM);
  CHECK(error_of([] { nx::remainder_of(7, 0); }) == EQPARAM);
  CHECK(nx::remainder_of(smallest, -1) == 0);
  CHECK(nx::quotient_of(-7, 2) == -3);
  CHECK(nx::remainder_of(-7, 2) == -1);
}

TEST_CASE("digits are a size when nothing else is among them") {
  CHECK(nx::parsed_size(" -12 ") == -12);
  CHECK(nx::parsed_size("+9223372036854775807") == largest);
  for (auto const* text : {"", " ", "12x", "1 2", "9223372036854775808", "--1"})
    CHECK(error_of([&] { nx::parsed_size(text); }) == EQESIZE);
}

}  // namespace
