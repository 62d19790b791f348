// SPDX-License-Identifier: BSD-3-Clause
#include "generic/base/padding.hpp"

#include "generic/base/error.hpp"

namespace earl {

Padding::Padding(std::size_t unit, std::size_t used)
    : unit_(unit), values_((std::uint64_t{1} << used) - 1) {
  EARL_CHECK(unknown < unit && unit <= most_unit && used < unit, "padding behind {} of {} bytes",
             used, unit);
}

Padding Padding::joined(Padding const& first, std::size_t first_size, Padding const& next,
                        std::size_t next_size) {
  if (first_size == 0) return next;
  if (next_size == 0) return first;
  if (first == next && first.repeats_in(first_size)) return first;
  Padding both;
  both.unit_ = unknown;
  if (first.somewhere() || next.somewhere() || first_size > most_unit ||
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
  if (somewhere()) return;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (!is_value(at + i)) bytes[i] = std::byte{0};
}

Padding long_double_padding() {
  constexpr std::size_t written_by_x87 = 10;
  return padded_long_double ? Padding{sizeof(long double), written_by_x87} : Padding{};
}

}  // namespace earl
