// SPDX-License-Identifier: BSD-3-Clause
/// Text for a program's array.
#pragma once

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

}  // namespace earl::mpi
