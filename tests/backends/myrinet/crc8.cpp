// SPDX-License-Identifier: BSD-3-Clause
/// The sum at the end of a packet.
#include "backends/myrinet/crc8.hpp"

#include <catch2/catch.hpp>
#include <string_view>
#include <vector>

using namespace earl;
using namespace earl::myrinet;

namespace {

Bytes text(std::string_view text) { return std::as_bytes(std::span{text}); }

std::vector<std::byte> noise(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 167 + i / 7);
  return bytes;
}

std::uint8_t crc8(Bytes bytes) {
  Crc8 sum;
  sum.add(bytes);
  return sum.value();
}

}  // namespace

TEST_CASE("the sum is the published one") { CHECK(crc8(text("123456789")) == 0xf4); }

TEST_CASE("a sum is the same byte by byte and in one go") {
  for (std::size_t const size : {0U, 1U, 15U, 16U, 17U, 33U, 1000U}) {
    auto const bytes = noise(size);
    Crc8 slow;
    for (auto const byte : bytes) slow.add(byte);
    CHECK(slow.value() == crc8(bytes));
  }
}

TEST_CASE("taking the first byte away changes the sum as if it had never been there") {
  for (std::size_t const size : {1U, 2U, 17U, 126U, 127U, 128U, 300U}) {
    auto const bytes = noise(size);
    CHECK(Crc8::without_first(crc8(bytes), bytes[0], size - 1) == crc8(Bytes{bytes}.subspan(1)));
  }
}

TEST_CASE("each single bit matters") {
  auto bytes = noise(40);
  auto const before = crc8(bytes);
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    auto const flip = static_cast<std::byte>(1 << bit % 8);
    bytes[bit / 8] ^= flip;
    CHECK(crc8(bytes) != before);
    bytes[bit / 8] ^= flip;
  }
}
