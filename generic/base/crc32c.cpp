// SPDX-License-Identifier: BSD-3-Clause
#include "generic/base/crc32c.hpp"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include "generic/base/crc32c_x86_64.hpp"
#elif defined(__aarch64__)
#include "generic/base/crc32c_aarch64.hpp"
#endif

namespace earl {

namespace {

constexpr std::uint32_t polynomial = 0x82f6'3b78;  // 0x1edc6f41 with its bits reversed

using Table = std::array<std::uint32_t, 256>;

// Eight tables let one step take in eight bytes; table k advances a byte over k more zero bytes.
constexpr std::array<Table, 8> make_tables() {
  std::array<Table, 8> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? polynomial : 0);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t byte = 0; byte < 256; ++byte)
      tables[k][byte] = tables[k - 1][byte] >> 8 ^ tables[0][tables[k - 1][byte] & 0xff];
  return tables;
}

constexpr std::array<Table, 8> tables = make_tables();

std::uint32_t eight(std::byte const* at, std::uint32_t crc) {
  std::uint32_t result = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    auto byte = std::to_integer<std::uint32_t>(at[i]);
    if (i < 4) byte ^= crc >> (8 * i) & 0xff;
    result ^= tables[7 - i][byte];
  }
  return result;
}

std::uint32_t by_tables(Bytes bytes, std::uint32_t crc) {
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) crc = eight(bytes.data(), crc);
  for (auto const byte : bytes)
    crc = crc >> 8 ^ tables[0][(crc ^ std::to_integer<std::uint32_t>(byte)) & 0xff];
  return crc;
}

}  // namespace

std::uint32_t crc32c(Bytes bytes, std::uint32_t crc) {
  if (has_instruction()) return ~by_instruction(bytes, ~crc);
  return ~by_tables(bytes, ~crc);
}

}  // namespace earl
