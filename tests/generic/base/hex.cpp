// SPDX-License-Identifier: BSD-3-Clause
#include "generic/base/hex.hpp"

#include <array>
#include <catch2/catch.hpp>

using namespace earl;

TEST_CASE("bytes survive being written as digits") {
  std::array<std::byte, 256> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::byte>(i);
  auto const text = to_hex(all);
  CHECK(text.substr(0, 8) == "00010203");
  CHECK(text.substr(508) == "feff");
  std::array<std::byte, 256> back{};
  REQUIRE(from_hex(text, back));
  CHECK(back == all);
}

TEST_CASE("a text without digits, with too few or too many is refused") {
  std::array<std::byte, 2> room{};
  for (char const* text : {"", "0", "001", "00112", "001122", "001g", "00-1", "00FF", " 001"})
    CHECK_FALSE(from_hex(text, room));
  CHECK(from_hex("00ff", room));
  CHECK(room[1] == std::byte{0xff});
}
