// SPDX-License-Identifier: BSD-3-Clause
#include "generic/base/padding.hpp"

#include "generic/base/error.hpp"

namespace earl {

Padding::Padding(std::size_t unit, std::size_t used)
    : unit_(unit), values_((std::uint64_t{1} << used) - 1) {
  EARL_CHECK(unknown_unit < unit && unit <= most_unit && used < unit,
             "padding behind {} of {} bytes", used, unit);
}

Padding Padding::joined(Padding const& first, std::size_t first_size, Padding const& next,
                        std::size_t next_size) {
  if (first_size == 0) return next;
  if (next_size == 0) return first;
  if (first == next && first.repeats_in(first_size)) return first;
  Padding both;
  both.unit_ = unknown_unit;
  if (first.unknown() || next.unknown() || first_size > most_unit ||
      next_size > most_unit - first_size)
    return both;
  both.unit_ = first_size + next_size;
  for (std::size_t at = 0; at < both.unit_; ++at) {
    bool const value = at < first_size ? first.is_value(at) : next.is_value(at - first_size);
    both.values_ |= std::uint64_t{value} << at;
  }
  return both;
}

void Padding::clear_units(std::span<std::byte> bytes, std::size_t at) const {
  if (unknown()) return;
  // A division for each byte would take longer than the copy.
  std::size_t within = at % unit_;
  for (std::byte& one : bytes) {
    if ((values_ >> within & 1) == 0) one = std::byte{0};
    if (++within == unit_) within = 0;
  }
}

Padding long_double_padding() {
  constexpr std::size_t written_by_x87 = 10;
  return padded_long_double ? Padding{sizeof(long double), written_by_x87} : Padding{};
}

}  // namespace earl
