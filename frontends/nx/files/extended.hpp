// SPDX-License-Identifier: BSD-3-Clause
/// Extended sizes as numbers, and the arithmetic that NX has for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "frontends/nx/include/nx.h"

namespace earl::nx {

inline std::int64_t value_of(esize_t size) {
  return static_cast<std::int64_t>(
      static_cast<std::uint64_t>(static_cast<std::uint32_t>(size.shigh)) << 32 | size.slow);
}

inline esize_t extended(std::int64_t value) {
  auto const bits = static_cast<std::uint64_t>(value);
  return {.slow = static_cast<std::uint32_t>(bits), .shigh = static_cast<std::int32_t>(bits >> 32)};
}

/// The results; one that does not fit: EQESIZE. Division by zero: EQPARAM.
std::int64_t sum_of(std::int64_t a, std::int64_t b);
std::int64_t difference_of(std::int64_t a, std::int64_t b);
std::int64_t product_of(std::int64_t a, std::int64_t b);
std::int32_t quotient_of(std::int64_t a, std::int32_t b);
std::int32_t remainder_of(std::int64_t a, std::int32_t b);

/// A number in one word of NX. EQESIZE.
std::int32_t one_word(std::int64_t value);

/// Decimal digits with an optional sign, blanks around. EQESIZE.
std::int64_t parsed_size(std::string_view digits);

}  // namespace earl::nx
