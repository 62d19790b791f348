// SPDX-License-Identifier: BSD-3-Clause
/// The types of a message's elements, for debuggers: as many of its first runs of one type as the
/// envelope's word has room for.
#pragma once

#include <cstdint>

namespace earl::pvm {

/// Types that look alike in a message are one.
enum class ElementKind : std::uint8_t {
  unknown,
  byte,
  short_int,
  integer,
  long_int,
  real,
  double_real
};
char const* to_text(ElementKind kind);

/// Runs of elements that follow each other in a message.
class ElementRuns {
 public:
  static constexpr unsigned most = 6;
  static constexpr unsigned bits_of_one = 4;

  ElementRuns() = default;
  /// `bits`: bits() of another process.
  explicit ElementRuns(std::uint32_t bits) : bits_(bits) {}

  std::uint32_t bits() const { return bits_; }
  /// True: these are the first elements of a run. None is known behind unknown ones.
  bool add(ElementKind kind) {
    if (count_ != 0 && kind == last_) return false;
    last_ = kind;
    if (count_ < most) bits_ |= static_cast<std::uint32_t>(kind) << bits_of_one * count_;
    count_ = kind == ElementKind::unknown ? most : count_ + 1;
    return true;
  }
  /// The number of runs; behind unknown elements, any.
  unsigned count() const { return count_; }
  ElementKind run(unsigned number) const {
    constexpr std::uint32_t one = (1U << bits_of_one) - 1;
    if (number >= most) return ElementKind::unknown;
    return static_cast<ElementKind>(bits_ >> bits_of_one * number & one);
  }

 private:
  std::uint32_t bits_ = 0;
  unsigned count_ = 0;
  ElementKind last_ = ElementKind::unknown;
};

}  // namespace earl::pvm
