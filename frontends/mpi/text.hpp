// SPDX-License-Identifier: BSD-3-Clause
/// Text for a program's array, and from one.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "frontends/mpi/translate.hpp"

namespace earl::mpi {

/// Writes as much as there is room for, ended by NUL; `length` is what was written without it.
/// Class ARG.
inline void write_text(char* to, int* length, std::string_view text, std::size_t room) {
  auto const written = text.copy(&require(to, "the text"), room - 1);
  to[written] = '\0';
  require(length, "resultlen") = static_cast<int>(written);
}

/// Bytes that could disturb a terminal are replaced.
inline std::string printable(std::string_view text) {
  std::string shown{text};
  std::ranges::replace_if(
      shown, [](unsigned char sign) { return std::iscntrl(sign) != 0; }, '?');
  return shown;
}

}  // namespace earl::mpi
