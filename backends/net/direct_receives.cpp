// SPDX-License-Identifier: BSD-3-Clause
#include "backends/net/direct_receives.hpp"

#include <algorithm>

namespace earl::net {

/// The number may be 0, which says that it comes otherwise.
Remote DirectReceives::post_direct_receive(Envelope const& message, TransferId transfer,
                                           Scatter const& to) {
  auto const size = std::min<std::size_t>(message.length, to.size());
  if (size == 0 || size > link_.facts().bulk) return {};
  DirectReceive target{.from = message.source, .transfer = transfer};
  MutableBytes room;
  if (to.contiguous()) {
    room = to.only().first(size);
  } else {
    target.to = to;
    target.whole = Buffer(size);
    room = target.whole.room();
  }
  auto const number = link_.post_direct_receive(message.source, room);
  if (number == 0) return {};
  all_.emplace(number, std::move(target));
  return {.where = number, .more = room.size()};
}

void DirectReceives::cancel_direct_receive(Remote const& target) {
  auto const found = all_.find(target.where);
  if (found == all_.end()) return;
  found->second.cancelled = true;
  link_.cancel_receive(target.where);
}

void DirectReceives::landed(std::uint64_t number, bool whole, PacketSink& sink) {
  auto const found = all_.find(number);
  if (found == all_.end()) return;
  DirectReceive const target = std::move(found->second);
  all_.erase(found);
  if (target.cancelled) return;
  if (whole && !target.to.empty()) copy(target.whole.bytes(), target.to);
  sink.moved(target.from, target.transfer, whole);
}

}  // namespace earl::net
