// SPDX-License-Identifier: BSD-3-Clause
#include "debug/record/posts.hpp"

#include <algorithm>

namespace earl::record {

void Posts::file(Received const& posted) {
  if (2 * count_ > slots_.size()) grow();
  auto slot = home(posted.post);
  while (slots_[slot].used) slot = after(slot);
  slots_[slot] = {posted, true};
}

Received* Posts::take_filed(std::uint64_t post) {
  auto slot = home(post);
  while (slots_[slot].used && slots_[slot].received.post != post) slot = after(slot);
  if (!slots_[slot].used) return nullptr;
  taken_ = slots_[slot].received;
  --count_;
  // Close the hole, so that no later one becomes unreachable.
  for (auto next = after(slot); slots_[next].used; next = after(next)) {
    auto const wanted = home(slots_[next].received.post);
    auto const distance = [&](std::size_t from) { return (next - from) & (slots_.size() - 1); };
    if (distance(wanted) < distance(slot)) continue;
    slots_[slot] = slots_[next];
    slot = next;
  }
  slots_[slot].used = false;
  return &taken_;
}

void Posts::grow() {
  std::vector<Place> old(2 * slots_.size());
  old.swap(slots_);
  for (auto const& place : old) {
    if (!place.used) continue;
    auto slot = home(place.received.post);
    while (slots_[slot].used) slot = after(slot);
    slots_[slot] = place;
  }
}

std::vector<Received> Posts::all() const {
  std::vector<Received> all;
  if (only_.used) all.push_back(only_.received);
  for (auto const& place : slots_)
    if (place.used) all.push_back(place.received);
  std::sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.post < b.post; });
  return all;
}

}  // namespace earl::record
