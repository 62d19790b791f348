// SPDX-License-Identifier: BSD-3-Clause
#include "generic/flow_control.hpp"

#include <algorithm>

namespace earl {

namespace {

/// Between two reads of the number of processes, the outstanding amount at most doubles, from here
/// on.
constexpr std::uint64_t first_check = 1024 * 1024;
/// Sends above the share, or questions whether there is room, after which it is computed anew.
constexpr std::uint32_t looks_per_share = 256;

std::uint64_t living(IdTable const& table) {
  std::uint64_t count = 0;
  table.each([&](Rank, IdRow const& row) {
    auto const state = static_cast<RankState>(row.state.load(std::memory_order_relaxed));
    count += state == RankState::started || state == RankState::registered ? 1U : 0U;
  });
  return count;
}

}  // namespace

void FlowControl::credit(Channel& to, MessageCount const& taken) {
  auto& known = to.flow.acknowledged;
  bool const possible = taken.bytes >= known.bytes && taken.bytes <= to.flow.sent.bytes &&
                        taken.messages <= to.flow.sent.messages;
  if (!possible) return;
  outstanding_ -= taken.bytes - known.bytes;
  known = taken;
}

/// Recomputed as processes join and end.
std::uint64_t FlowControl::share() {
  if (looks_++ % looks_per_share == 0)
    share_ = limit() / std::max<std::uint64_t>(living(table_), 2);
  return share_;
}

bool FlowControl::look_for_room(Channel const& to, std::uint64_t charge) {
  if (limit() == 0) {
    checked_ = UINT64_MAX;
    return true;
  }
  const std::uint64_t wanted = outstanding_ + charge;
  // Most senders never need to know how many of all processes live.
  auto const least = limit() / std::max<std::uint64_t>(table_.count(), 2);
  if (wanted <= least) {
    checked_ = std::min(least, std::max(2 * wanted, first_check));
    return true;
  }
  if (checked_ < share_) looks_ = 0;
  if (wanted > share()) return to.flow.outstanding().bytes + charge <= least_per_channel;
  checked_ = std::min(share_, std::max(2 * wanted, first_check));
  return true;
}

}  // namespace earl
