// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/bip/options.hpp"

#include <catch2/catch.hpp>

#include "generic/base/error.hpp"

using namespace earl;
using namespace earl::bip;

namespace {

Options letters(std::string_view text) {
  Options options;
  read_letters(options, text);
  return options;
}

}  // namespace

TEST_CASE("BIP_OPTS is letters run together, in any order") {
  CHECK(letters("q").quiet);
  CHECK(letters("n5q").nodes == 5);
  CHECK(letters("n5q").quiet);
  CHECK(letters("qn12").nodes == 12);
  CHECK(letters("").nodes == 0);
  CHECK(letters("xqy").unknown == "xy");
}

TEST_CASE("n without a number, or with none that counts nodes, is an error") {
  for (char const* wrong : {"n", "nq", "n0", "n-1", "n99999999999"})
    CHECK_THROWS_AS(letters(wrong), Error);
}
