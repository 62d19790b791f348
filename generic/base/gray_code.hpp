// SPDX-License-Identifier: BSD-3-Clause
/// Binary-reflected Gray codes: neighbours on a ring are neighbours in a hypercube (NX gray, ginv).
#pragma once

#include <cstdint>

namespace earl {

/// The i-th code word. Neighbouring i differ in one bit.
constexpr std::uint32_t gray_code(std::uint32_t i) { return i ^ i >> 1; }

/// The number of a code word: inverse of gray_code().
constexpr std::uint32_t inverse_gray_code(std::uint32_t word) {
  for (unsigned shift = 16; shift > 0; shift >>= 1) word ^= word >> shift;
  return word;
}

}  // namespace earl
