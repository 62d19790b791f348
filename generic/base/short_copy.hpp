// SPDX-License-Identifier: BSD-3-Clause
/// Copying the payload of messages of a word or two, which are most, without a call.
#pragma once

#include <cstdint>

#include "generic/base/bytes.hpp"

namespace earl {

/// Like copy(from, to), from bytes to bytes.
inline std::size_t copy_short(Bytes from, MutableBytes to) {
  constexpr std::size_t word = sizeof(std::uint64_t);
  const std::size_t n = from.size() < to.size() ? from.size() : to.size();
  if (n < word || n > 2 * word) [[unlikely]]
    return copy(from, to);
  // The first and the last word, which overlap unless there are two.
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::memcpy(&first, from.data(), word);
  std::memcpy(&last, from.data() + n - word, word);
  std::memcpy(to.data(), &first, word);
  std::memcpy(to.data() + n - word, &last, word);
  return n;
}

}  // namespace earl
