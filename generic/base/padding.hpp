// SPDX-License-Identifier: BSD-3-Clause
/// Bytes of a payload that are part of no value: 6 of the 16 of an x87 long double. They hold what
/// the memory held before, which differs from run to run.
#pragma once

#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <span>

namespace earl {

/// Where padding is: the same in every unit of so many bytes from the start of a payload.
class Padding {
 public:
  Padding() = default;  ///< nowhere
  /// Behind the first `used` of every `unit` bytes; `unit` is 2 to `most_unit`.
  Padding(std::size_t unit, std::size_t used);
  /// The padding of a payload that is `first_size` bytes as in `first`, then `next_size` as in
  /// `next`.
  static Padding joined(Padding const& first, std::size_t first_size, Padding const& next,
                        std::size_t next_size);

  bool operator==(Padding const&) const = default;
  bool none() const { return unit_ == 0; }
  /// There is some, and it is not known where: a unit would be too long.
  bool unknown() const { return unit_ == unknown_unit; }
  /// Sets padding to zero in `bytes`, which begin `at` bytes into the payload; does nothing when
  /// it is unknown().
  void clear(std::span<std::byte> bytes, std::size_t at) const {
    if (!none()) [[unlikely]]
      clear_units(bytes, at);
  }

  static constexpr std::size_t most_unit = 64;

 private:
  static constexpr std::size_t unknown_unit = 1;

  bool is_value(std::size_t at) const { return none() || (values_ >> at % unit_ & 1) != 0; }
  bool repeats_in(std::size_t size) const { return none() || size % unit_ == 0; }
  void clear_units(std::span<std::byte> bytes, std::size_t at) const;

  std::size_t unit_ = 0;
  std::uint64_t values_ = 0;  ///< bit i: byte i of a unit is part of a value
};

/// Whether the CPU writes 10 of a long double's 16 bytes.
inline constexpr bool padded_long_double = LDBL_MANT_DIG == 64 && sizeof(long double) == 16;
/// The padding of long doubles.
Padding long_double_padding();

}  // namespace earl
