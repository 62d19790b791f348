// SPDX-License-Identifier: BSD-3-Clause
/// CRC-32C (Castagnoli): of a trace's frames and of packets between engines.
#pragma once

#include <array>
#include <cstdint>

#include "generic/base/bytes.hpp"

namespace earl {

/// Continues from `crc`, the value for the bytes before; 0 to begin. By the CPU's instruction if it
/// has one.
std::uint32_t crc32c(Bytes bytes, std::uint32_t crc = 0);

/// The contribution of half a byte to the checksum, by its value.
alignas(64) inline constexpr std::array<std::uint32_t, 16> crc32c_of_half{
    0x0000'0000, 0x105e'c76f, 0x20bd'8ede, 0x30e3'49b1, 0x417b'1dbc, 0x5125'dad3,
    0x61c6'9362, 0x7198'540d, 0x82f6'3b78, 0x92a8'fc17, 0xa24b'b5a6, 0xb215'72c9,
    0xc38d'26c4, 0xd3d3'e1ab, 0xe330'a81a, 0xf36e'6f75};
/// The same for one byte more, where that comes seldom and memory has other work: one cache line.
inline std::uint32_t crc32c(std::byte byte, std::uint32_t crc) {
  crc = ~crc ^ std::to_integer<std::uint32_t>(byte);
  crc = crc >> 4 ^ crc32c_of_half[crc & 15];
  return ~(crc >> 4 ^ crc32c_of_half[crc & 15]);
}

}  // namespace earl
