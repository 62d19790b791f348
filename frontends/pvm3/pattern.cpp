// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/pvm3/pattern.hpp"

#include <string>

namespace earl::pvm {

namespace {

/// Removes and returns the part of the pattern before the next star, and the star.
std::string next_piece(std::string_view& pattern) {
  std::string piece;
  std::size_t i = 0;
  for (; i < pattern.size() && pattern[i] != '*'; ++i) {
    if (i > 0 && pattern.substr(i).starts_with("\\*")) ++i;
    piece += pattern[i];
  }
  pattern.remove_prefix(i < pattern.size() ? i + 1 : i);
  return piece;
}

}  // namespace

bool fits(std::string_view name, std::string_view pattern) {
  while (!pattern.empty()) {
    auto const piece = next_piece(pattern);
    auto const at = name.find(piece);
    if (at == name.npos) return false;
    name.remove_prefix(at + piece.size());
  }
  return true;
}

}  // namespace earl::pvm
