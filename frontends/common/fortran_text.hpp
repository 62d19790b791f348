// SPDX-License-Identifier: BSD-3-Clause
/// CHARACTER arguments. Each comes with a hidden length behind the explicit arguments; gfortran
/// passes it as size_t.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace earl::fortran {

using Length = std::size_t;

/// A Fortran string as C wants it: without the blanks at its end, and ended. A longer one than
/// there is room for is refused.
template <std::size_t MutableBytes = 1024>
class Text {
 public:
  Text(char const* from, Length length) {
    while (length > 0 && (from[length - 1] == ' ' || from[length - 1] == '\0')) --length;
    if (auto const* end = static_cast<char const*>(std::memchr(from, '\0', length)))
      length = static_cast<Length>(end - from);
    fits_ = length < MutableBytes;
    if (fits_) std::memcpy(text_.data(), from, length);
  }
  bool fits() const { return fits_; }
  bool is(char const* other) const { return std::strcmp(text_.data(), other) == 0; }
  /// The native interface has no const.
  char* get() { return text_.data(); }

 private:
  std::array<char, MutableBytes> text_{};
  bool fits_ = false;
};

/// A C string into a Fortran variable: cut, or filled up with blanks.
inline void give(char* to, Length length, char const* text) {
  auto const n = std::min(std::strlen(text), length);
  std::copy_n(text, n, to);
  std::fill_n(to + n, length - n, ' ');
}

}  // namespace earl::fortran
