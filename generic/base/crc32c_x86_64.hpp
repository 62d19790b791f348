// SPDX-License-Identifier: BSD-3-Clause
/// CRC-32C by instructions of x86-64.
#pragma once

#include <nmmintrin.h>

#include <cstring>

#include "generic/base/bytes.hpp"

namespace earl {

inline bool has_instruction() { return __builtin_cpu_supports("sse4.2") != 0; }

[[gnu::target("sse4.2")]] inline std::uint32_t by_instruction(Bytes bytes, std::uint32_t crc) {
  std::uint64_t wide = crc;
  for (; bytes.size() >= sizeof wide; bytes = bytes.subspan(sizeof wide)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    wide = _mm_crc32_u64(wide, word);
  }
  crc = static_cast<std::uint32_t>(wide);
  for (std::byte const byte : bytes) crc = _mm_crc32_u8(crc, std::to_integer<std::uint8_t>(byte));
  return crc;
}

}  // namespace earl
