// SPDX-License-Identifier: BSD-3-Clause
/// The deviations of a replay from the recorded run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generic/base/values.hpp"

namespace earl::trace {

/// One step of a path. "0:3=2#5": receive 3 of rank 0 gets message 5 of rank 2. "0:3=": it gets any
/// message. "0@17": rank 0 is unconstrained from its call 17 on.
struct PathStep {
  Rank rank{};
  std::uint64_t number = 0;  ///< a receive's, as posted; with `frees_rank` an API call's, from 1
  bool frees_rank = false;
  std::optional<MessageId> message{};

  bool operator==(PathStep const&) const = default;
};
using Path = std::vector<PathStep>;

/// Parses steps with commas between them. Throws Error.
Path parse_path(std::string_view text);
std::string in_words(Path const& path);

}  // namespace earl::trace
