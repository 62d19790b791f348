// SPDX-License-Identifier: BSD-3-Clause
/// Strings as C and Fortran hand them over.
#pragma once

#include <string>

#include "frontends/nx/translate.hpp"

namespace earl::nx {

/// A null pointer is an empty string.
inline std::string text(char const* from) { return from ? from : ""; }

/// CHARACTER: padded with blanks, its length comes after all other arguments.
inline std::string text(char const* from, std::size_t length) {
  return std::string(fortran_text(from, length));
}

}  // namespace earl::nx
