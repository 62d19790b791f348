// SPDX-License-Identifier: BSD-3-Clause
/// Whether a run relies on room for messages that its API does not promise.
#pragma once

#include <vector>

#include "debug/analyse/history.hpp"

namespace earl::analyse {

/// A call that would not end if sends waited for their receivers.
struct StuckCall {
  std::uint32_t rank = 0;
  Place at{};
  std::uint32_t on = 0;          ///< the rank that it waits for
  std::uint32_t message = none;  ///< that it sends or needs; none: it waits in a collective
  bool sends = false;
};

/// The calls of one cycle, each waiting for the next one's rank: what the recorded run would have
/// come to if every blocking send whose mode leaves it open had waited for its receiver, and every
/// receive had got the same message. Empty: it would have ended as it did.
std::vector<StuckCall> find_hazard(std::vector<Source> sources, History const& history);

}  // namespace earl::analyse
