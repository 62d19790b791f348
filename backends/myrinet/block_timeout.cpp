// SPDX-License-Identifier: BSD-3-Clause
#include "backends/myrinet/block_timeout.hpp"

#include <algorithm>

namespace earl::myrinet {

bool BlockTimeout::too_long(Watch& watch, bool blocked, std::uint64_t progress,
                            std::uint64_t now) const {
  if (!blocked || (watch.since && watch.progress != progress)) watch.since.reset();
  if (!blocked) return false;
  if (watch.since) watch.in_all += now - watch.seen;
  watch.seen = now;
  watch.progress = progress;
  if (!watch.since) watch.since = now;
  if (now - *watch.since < most_) return false;
  watch.since.reset();
  return true;
}

bool BlockTimeout::look_at_input(Switch& box, unsigned in, std::uint64_t now) {
  if (!too_long(waiting_[in], box.waits(in), box.counters(in).heads, now)) return false;
  box.drop_waiting(in);
  return true;
}

bool BlockTimeout::look_at_host(Switch& box, unsigned out, std::uint64_t now) {
  if (!too_long(stopped_[out], box.is_stopped(out), box.counters(out).bytes, now)) return false;
  box.drop_stopped(out);
  return true;
}

std::optional<std::uint64_t> BlockTimeout::next() const {
  std::optional<std::uint64_t> first;
  for (auto const* watches : {&waiting_, &stopped_})
    for (auto const& watch : *watches)
      if (watch.since) first = std::min(first.value_or(*watch.since), *watch.since);
  return first ? std::optional{*first + most_} : std::nullopt;
}

}  // namespace earl::myrinet
