// SPDX-License-Identifier: BSD-3-Clause
/// Where each message of a run stands in a picture of it: a lane per rank, time from left to right.
#pragma once

#include <string>
#include <vector>

#include "debug/analyse/candidates.hpp"
#include "debug/analyse/history.hpp"

namespace earl::analyse {

/// Where one message begins and ends. Columns are logical time: a cause is left of its effect.
struct Arrow {
  std::uint32_t sent = 0;         ///< the column of the send
  std::uint32_t received = none;  ///< that of the completed receive; none: never received
  std::uint32_t receive = none;   ///< the receiver's receive, as in RankHistory
};

/// Processes that synchronised without a message: collectives, meetings, spawns.
struct Mark {
  std::uint32_t rank = 0;
  std::uint32_t column = 0;
};

struct Picture {
  std::vector<Arrow> arrows{};  ///< by number of the message in History
  std::vector<Mark> marks{};
  std::uint32_t columns = 0;
};

Picture make_picture(History const& history);

}  // namespace earl::analyse
