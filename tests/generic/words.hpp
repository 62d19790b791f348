// SPDX-License-Identifier: BSD-3-Clause
/// Short names for messages and selections of the core's tests.
#pragma once

#include <vector>

#include "generic/base/values.hpp"
#include "generic/message/match_spec.hpp"

namespace earl::test {

inline Envelope to(int dest, int tag = 1, Mode mode = Mode::buffered) {
  return {.dest = Rank{dest}, .tag = Tag{tag}, .mode = mode};
}

/// From any source, with that tag.
inline MatchSpec tagged(int tag) { return {.tag = TagMatch::exactly(Tag{tag})}; }

/// Bytes that encode their number, and each its place.
inline std::vector<std::byte> pattern(std::size_t size) {
  std::vector<std::byte> data(size);
  for (std::size_t i = 0; i < size; ++i) data[i] = static_cast<std::byte>(i * 7 + size);
  return data;
}

}  // namespace earl::test
