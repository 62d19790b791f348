/// CRC-32C (Castagnoli), the checksum of every frame.
#pragma once

#include <cstdint>

#include "generic/bytes.hpp"

namespace earl::trace {

/// Continues from `crc`, the value for the bytes before; 0 to begin.
std::uint32_t crc32c(Bytes bytes, std::uint32_t crc = 0);

}  // namespace earl::trace
