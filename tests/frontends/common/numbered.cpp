// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/common/numbered.hpp"

#include <catch2/catch.hpp>
#include <string>

using earl::Numbered;

TEST_CASE("numbers count from 1, are found until they are closed, and are given again") {
  Numbered<std::string> things;
  CHECK(things.open("one") == 1);
  CHECK(things.open("two") == 2);
  CHECK(*things.find(2) == "two");
  CHECK(things.close(1) == "one");
  for (int const unknown : {-1, 0, 1, 3}) CHECK(things.find(unknown) == nullptr);
  CHECK(things.open("three") == 1);
}

TEST_CASE("a closed object is none of any") {
  Numbered<int> things;
  things.close(things.open(7));
  things.open(8);
  CHECK(things.any([](int thing) { return thing == 8; }));
  CHECK_FALSE(things.any([](int thing) { return thing == 7; }));
}
