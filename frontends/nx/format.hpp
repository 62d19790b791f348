// SPDX-License-Identifier: BSD-3-Clause
/// Formats of printf and scanf in programs whose `long` has 4 bytes.
#pragma once

#include <cstddef>
#include <memory>

namespace earl::nx {

enum class Formatted { printing, scanning };

/// The format with %ld, %li, %lo, %lu, %lx, %lX and %ln as they are without the l; %lf, %lld, %ls
/// and all else stay. No longer than `format`. Throws std::bad_alloc when a long one finds no
/// memory.
class ShortFormat {
 public:
  ShortFormat(char const* format, Formatted what);
  char const* text() const { return long_ ? long_.get() : short_; }

 private:
  static constexpr std::size_t usual = 512;

  char short_[usual];
  std::unique_ptr<char[]> long_{};
};

}  // namespace earl::nx
