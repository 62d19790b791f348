// SPDX-License-Identifier: BSD-3-Clause
/// CRC-32C by instructions of arm64, which are optional in its first version.
#pragma once

#include <asm/hwcap.h>
#include <sys/auxv.h>

#include <cstring>

#include "generic/base/bytes.hpp"

namespace earl {

inline bool has_instruction() { return (::getauxval(AT_HWCAP) & HWCAP_CRC32) != 0; }

[[gnu::target("+crc")]] inline std::uint32_t by_instruction(Bytes bytes, std::uint32_t crc) {
  for (; bytes.size() >= sizeof(std::uint64_t); bytes = bytes.subspan(sizeof(std::uint64_t))) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    crc = __builtin_aarch64_crc32cx(crc, word);
  }
  for (std::byte const byte : bytes)
    crc = __builtin_aarch64_crc32cb(crc, std::to_integer<std::uint8_t>(byte));
  return crc;
}

}  // namespace earl
