// SPDX-License-Identifier: BSD-3-Clause
/// Multiples.
#pragma once

#include <cstddef>

namespace earl {

/// The least multiple of `to` that is not below `size`; `to` need not be a power of two.
constexpr std::size_t round_up(std::size_t size, std::size_t to) {
  return (size + to - 1) / to * to;
}

}  // namespace earl
