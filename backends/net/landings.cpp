// SPDX-License-Identifier: BSD-3-Clause
#include "backends/net/landings.hpp"

#include <algorithm>

namespace earl::net {

/// The number may be 0, which says that it comes otherwise.
Remote Landings::post_direct_receive(Envelope const& message, TransferId transfer,
                                     Scatter const& to) {
  auto const size = std::min<std::size_t>(message.length, to.size());
  if (size == 0 || size > link_.facts().bulk) return {};
  Landing landing{.from = message.source, .transfer = transfer};
  MutableBytes room;
  if (to.contiguous()) {
    room = to.only().first(size);
  } else {
    landing.to = to;
    landing.whole = Buffer(size);
    room = landing.whole.room();
  }
  auto const number = link_.post_direct_receive(message.source, room);
  if (number == 0) return {};
  all_.emplace(number, std::move(landing));
  return {.where = number, .more = room.size()};
}

void Landings::cancel_direct_receive(Remote const& landing) {
  auto const found = all_.find(landing.where);
  if (found == all_.end()) return;
  found->second.cancelled = true;
  link_.cancel_receive(landing.where);
}

void Landings::landed(std::uint64_t number, bool whole, PacketSink& sink) {
  auto const found = all_.find(number);
  if (found == all_.end()) return;
  Landing const landing = std::move(found->second);
  all_.erase(found);
  if (landing.cancelled) return;
  if (whole && !landing.to.empty()) copy(landing.whole.bytes(), landing.to);
  sink.moved(landing.from, landing.transfer, whole);
}

}  // namespace earl::net
