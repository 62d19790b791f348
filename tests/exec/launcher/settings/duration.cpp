// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/settings/duration.hpp"

#include <catch2/catch.hpp>

using earl::exec::seconds_from;

TEST_CASE("a duration is a number of seconds, minutes or hours") {
  CHECK(seconds_from("90") == 90);
  CHECK(seconds_from("0.25s") == 0.25);
  CHECK(seconds_from("1.5m") == 90);
  CHECK(seconds_from("2h") == 7200);
}

TEST_CASE("a duration is above 0, finite and of a known unit") {
  for (auto const* text : {"", "s", "m", "0", "0m", "-1", "-1m", "nan", "inf", "1d", "1ms", "1 m",
                           " 1", "1m ", "soon", "300000h", "1e10"}) {
    CAPTURE(text);
    CHECK_FALSE(seconds_from(text));
  }
}
