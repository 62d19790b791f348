// SPDX-License-Identifier: BSD-3-Clause
/// Sizes of blocks that heaps keep apart from each other.
#pragma once

#include <bit>
#include <cstddef>

namespace earl::heap {

constexpr std::size_t round_up(std::size_t size, std::size_t to) {
  return (size + to - 1) & ~(to - 1);
}

/// Size classes: multiples of 16 up to 128, then four for each doubling.
inline constexpr std::size_t small_classes = 8;
inline constexpr std::size_t most_size = std::size_t{1} << 40;
inline constexpr std::size_t size_classes = small_classes + 4 * 33;

constexpr std::size_t class_of(std::size_t size) {
  if (size <= small_classes * 16) return size == 0 ? 0 : (size - 1) / 16;
  auto const last = size - 1;
  auto const power = static_cast<std::size_t>(std::bit_width(last)) - 1;  // 7 for 129
  return small_classes + (power - 7) * 4 + ((last >> (power - 2)) & 3);
}

constexpr std::size_t size_of(std::size_t size_class) {
  if (size_class < small_classes) return (size_class + 1) * 16;
  auto const power = 7 + (size_class - small_classes) / 4;
  return (std::size_t{5 + (size_class - small_classes) % 4} << (power - 2));
}

static_assert(class_of(16) == 0 && class_of(17) == 1 && class_of(128) == 7 && class_of(129) == 8);
static_assert(size_of(7) == 128 && size_of(8) == 160 && size_of(11) == 256 && size_of(12) == 320);
static_assert(class_of(160) == 8 && class_of(161) == 9 && class_of(256) == 11 &&
              class_of(257) == 12);
static_assert(class_of(most_size) < size_classes && size_of(class_of(most_size)) == most_size);

}  // namespace earl::heap
