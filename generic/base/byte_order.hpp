// SPDX-License-Identifier: BSD-3-Clause
/// Numbers of machines with another byte order (NX ctoh*, htoc*), and the order that networks use.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <span>

namespace earl {

constexpr std::uint16_t swapped(std::uint16_t value) { return __builtin_bswap16(value); }
constexpr std::uint32_t swapped(std::uint32_t value) { return __builtin_bswap32(value); }
constexpr std::uint64_t swapped(std::uint64_t value) { return __builtin_bswap64(value); }

/// Between this machine's order and the network's; the same in both directions.
template <std::unsigned_integral T>
constexpr T big_endian(T value) {
  return std::endian::native == std::endian::big ? value : swapped(value);
}

/// Turns the bytes of each element round when the two orders differ. T is a short, an int, a long,
/// a float or a double: two, four or eight bytes.
template <class T, std::size_t Size>
void reorder(std::span<T, Size> values, std::endian from, std::endian to) {
  using Bits = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
  static_assert(sizeof(T) == sizeof(Bits));
  if (from == to) return;
  // Through memory: as a float, a pattern that is no number might not survive.
  for (T& value : values) {
    Bits bits = 0;
    __builtin_memcpy(&bits, &value, sizeof bits);
    bits = swapped(bits);
    __builtin_memcpy(&value, &bits, sizeof bits);
  }
}

}  // namespace earl
