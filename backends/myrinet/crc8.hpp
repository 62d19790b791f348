// SPDX-License-Identifier: BSD-3-Clause
/// CRC-8: the byte that ends a packet on a cable.
#pragma once

#include <cstdint>

#include "generic/base/bytes.hpp"

namespace earl::myrinet {

/// The sum at the end of a packet: x^8 + x^2 + x + 1, beginning with 0. Each switch removes the
/// packet's first byte and that byte's contribution to the sum.
class Crc8 {
 public:
  void add(std::byte byte) { value_ = table(value_ ^ std::to_integer<std::uint8_t>(byte)); }
  void add(Bytes bytes);
  std::uint8_t value() const { return value_; }

  /// The sum without the first byte, when `behind` bytes come after it.
  static std::uint8_t without_first(std::uint8_t sum, std::byte first, std::size_t behind);

 private:
  static std::uint8_t table(unsigned index);

  std::uint8_t value_ = 0;
};

}  // namespace earl::myrinet
