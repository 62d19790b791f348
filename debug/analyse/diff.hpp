// SPDX-License-Identifier: BSD-3-Clause
/// Where two runs of one program part: by rank, message by message.
#pragma once

#include <vector>

#include "debug/analyse/steps.hpp"

namespace earl::analyse {

/// The first thing that a rank did otherwise.
struct Difference {
  std::uint32_t rank = 0;
  std::size_t step = 0;  ///< of the rank's; those before are alike; in one run there may be none
  bool first = false;    ///< in neither run does another rank's difference come before it
};

/// The first difference of each rank: what it sent (with the bytes), asked for, or which message it
/// got. Calls without messages do not count, because the number of polls varies.
std::vector<Difference> find_differences(History const& a, std::vector<Steps> const& steps_of_a,
                                         History const& b, std::vector<Steps> const& steps_of_b);

/// The messages of one of the runs that differ, ascending: their sender or their receiver has come
/// to its first difference before. `steps` are those of `history`.
std::vector<std::uint32_t> differing_messages(History const& history,
                                              std::vector<Steps> const& steps,
                                              std::vector<Difference> const& differences);

}  // namespace earl::analyse
