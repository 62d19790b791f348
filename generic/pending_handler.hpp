// SPDX-License-Identifier: BSD-3-Clause
/// StandstillVerdict filters, and what handlers are due for.
#pragma once

#include "generic/handlers.hpp"
#include "generic/matcher.hpp"
#include "generic/request.hpp"

namespace earl {

/// A standing filter.
struct Filter {
  FilterId id{};
  MatchSpec spec{};
  MessageHandler handler{};
};

/// What a handler is due for: a request that is complete, or a message that a filter may want.
struct PendingHandler {
  Request* request = nullptr;
  Arrival* arrival = nullptr;
  std::uint32_t generation = 0;  ///< of the arrival; another one: the message has been taken
};

}  // namespace earl
