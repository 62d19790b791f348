// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/lock_queue.hpp"

#include <algorithm>

namespace earl::mpi {

bool LockQueue::ask(Rank origin, LockType type) {
  // A shared lock does not overtake an exclusive one that waits: that would never come.
  if (!waiting_.empty() || !is_free_for(type)) {
    waiting_.push_back({origin, type});
    return false;
  }
  grant(origin, type);
  return true;
}

std::vector<Rank> LockQueue::release(Rank origin) {
  auto const found = std::ranges::find(holders_, origin);
  if (found != holders_.end()) holders_.erase(found);
  std::vector<Rank> next;
  while (!waiting_.empty() && is_free_for(waiting_.front().type)) {
    grant(waiting_.front().origin, waiting_.front().type);
    next.push_back(waiting_.front().origin);
    waiting_.pop_front();
  }
  return next;
}

bool LockQueue::waits_for_others(Rank owner) const {
  return !waiting_.empty() &&
         std::ranges::any_of(holders_, [&](Rank holder) { return holder != owner; });
}

}  // namespace earl::mpi
