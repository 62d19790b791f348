#include "debug/record/posts.hpp"

#include <algorithm>

namespace earl::record {

void Posts::add(Posted const& posted) {
  if (2 * ++count_ > slots_.size()) grow();
  auto slot = home(posted.post);
  while (slots_[slot].used) slot = after(slot);
  slots_[slot] = posted;
  slots_[slot].used = true;
}

bool Posts::take(std::uint64_t post, Posted& posted) {
  auto slot = home(post);
  while (slots_[slot].used && slots_[slot].post != post) slot = after(slot);
  if (!slots_[slot].used) return false;
  posted = slots_[slot];
  --count_;
  // Close the hole, so that no later one becomes unreachable.
  for (auto next = after(slot); slots_[next].used; next = after(next)) {
    auto const wanted = home(slots_[next].post);
    auto const distance = [&](std::size_t from) { return (next - from) & (slots_.size() - 1); };
    if (distance(wanted) < distance(slot)) continue;
    slots_[slot] = slots_[next];
    slot = next;
  }
  slots_[slot].used = false;
  return true;
}

void Posts::grow() {
  std::vector<Posted> old(2 * slots_.size());
  old.swap(slots_);
  for (auto const& posted : old) {
    if (!posted.used) continue;
    auto slot = home(posted.post);
    while (slots_[slot].used) slot = after(slot);
    slots_[slot] = posted;
  }
}

std::vector<Posted> Posts::all() const {
  std::vector<Posted> all;
  for (auto const& posted : slots_)
    if (posted.used) all.push_back(posted);
  std::sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.post < b.post; });
  return all;
}

}  // namespace earl::record
