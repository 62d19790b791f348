// SPDX-License-Identifier: BSD-3-Clause
#include "generic/base/front_end_name.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace earl;

TEST_CASE("the name of a front end is found in rows as front_end_of() gives it") {
  const std::string names[] = {
      "", "n", "nx", "nx2", "mpi", "mpi_abi", "fifteen letters", "sixteen lettersX"};
  for (auto const& in_row : names) {
    IdRow row;
    set_front_end(row, "an earlier one");
    set_front_end(row, in_row);
    for (auto const& name : names) {
      CAPTURE(in_row, name);
      CHECK(FrontEndName{name}.is_of(row) ==
            (front_end_of(row) == std::string_view{name}.substr(0, 15)));
    }
  }
}
