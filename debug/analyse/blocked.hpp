// SPDX-License-Identifier: BSD-3-Clause
/// The calls in which ranks waited when a run ended in a deadlock.
#pragma once

#include <string>
#include <vector>

#include "debug/analyse/steps.hpp"

namespace earl::analyse {

/// A call that never returned.
struct BlockedCall {
  std::uint32_t rank = 0;
  Place at{};
  std::uint32_t receive = none;  ///< of the rank's: posted by this call, and it got no message
};

/// By rank; empty unless the run ended in a deadlock.
std::vector<BlockedCall> blocked_calls(History const& history);

/// Each blocked rank with those that it waits for, as EXEC kept them with the recording. Without
/// that: what the calls asked for, as far as one process alone could have done it.
std::vector<KnownWait> waits_of(History const& history);

/// "event 12: crecv at racy.c:31 (any source, tag 7)".
std::string place_text(BlockedCall const& call, History const& history, StepTexts& texts);

/// Prints that the run ended in a deadlock, and where each rank waited; nothing if it did not.
void print_blocked(History const& history);

}  // namespace earl::analyse
