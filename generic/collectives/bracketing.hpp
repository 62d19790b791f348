// SPDX-License-Identifier: BSD-3-Clause
/// The division of reductions among members and their bracketing, on each path alike.
#pragma once

#include <cstddef>

namespace earl {

/// Calls join(left, right) for the members whose data are combined into those of `left`, as the
/// binomial tree from member 0 does it: neighbours first, the lower one on the left. Member 0 has
/// the result.
template <class Join>
void in_tree_order(std::size_t members, Join join) {
  for (std::size_t bit = 1; bit < members; bit <<= 1)
    for (std::size_t left = 0; left + bit < members; left += 2 * bit) join(left, left + bit);
}

/// A member's share of data of `length` bytes: equal ones, of whole units; the last one has the
/// rest.
struct Share {
  std::size_t begin;
  std::size_t size;

  static Share of(std::size_t member, std::size_t members, std::size_t length, std::size_t unit) {
    std::size_t const units = length / unit;
    auto const place = [&](std::size_t i) {
      return i == members ? length : units * i / members * unit;
    };
    return {place(member), place(member + 1) - place(member)};
  }
};

}  // namespace earl
