// SPDX-License-Identifier: BSD-3-Clause
#include "backends/myrinet/crc8.hpp"

#include <array>

namespace earl::myrinet {

namespace {

constexpr std::uint8_t polynomial8 = 0x07;

constexpr std::uint8_t shifted8(unsigned value) {
  for (int bit = 0; bit < 8; ++bit) value = value & 0x80 ? value << 1 ^ polynomial8 : value << 1;
  return static_cast<std::uint8_t>(value);
}

constexpr std::size_t stride = 16;

/// Row k: the remainder of a byte after k more bytes.
constexpr auto table8 = [] {
  std::array<std::array<std::uint8_t, 256>, stride> table{};
  for (unsigned byte = 0; byte < 256; ++byte) table[0][byte] = shifted8(byte);
  for (std::size_t row = 1; row < stride; ++row)
    for (std::size_t byte = 0; byte < 256; ++byte)
      table[row][byte] = table[0][table[row - 1][byte]];
  return table;
}();

/// x^(8n) comes round after so many n, because the polynomial is (x + 1) times one of degree 7.
constexpr std::size_t period = 127;

constexpr auto powers = [] {
  std::array<std::uint8_t, period> all{1};
  for (std::size_t n = 1; n < period; ++n) all[n] = shifted8(all[n - 1]);
  return all;
}();
static_assert(shifted8(powers[period - 1]) == 1);

constexpr std::uint8_t product(unsigned a, unsigned b) {
  unsigned sum = 0;
  for (int bit = 7; bit >= 0; --bit) {
    sum = sum & 0x80 ? sum << 1 ^ polynomial8 : sum << 1;
    if (b >> bit & 1) sum ^= a;
  }
  return static_cast<std::uint8_t>(sum);
}

}  // namespace

std::uint8_t Crc8::table(unsigned index) { return table8[0][index & 0xff]; }

void Crc8::add(Bytes bytes) {
  while (bytes.size() >= stride) {
    auto const at = [&](std::size_t i) { return std::to_integer<std::uint8_t>(bytes[i]); };
    unsigned sum = table8[stride - 1][at(0) ^ value_];
    for (std::size_t i = 1; i < stride; ++i) sum ^= table8[stride - 1 - i][at(i)];
    value_ = static_cast<std::uint8_t>(sum);
    bytes = bytes.subspan(stride);
  }
  for (std::byte const byte : bytes) add(byte);
}

std::uint8_t Crc8::without_first(std::uint8_t sum, std::byte first, std::size_t behind) {
  std::uint8_t const alone = table8[0][std::to_integer<std::uint8_t>(first)];
  return sum ^ product(alone, powers[behind % period]);
}

}  // namespace earl::myrinet
