// SPDX-License-Identifier: BSD-3-Clause
/// Where a process sleeps that shares memory with others, and how they find out whether it must be
/// woken.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "generic/base/values.hpp"
#include "generic/system/fences.hpp"

namespace earl {

/// In memory that several processes have. In the steady state only read.
struct Doorbell {
  /// Not 0: the owner sleeps or is about to. A new number each time, so that a waker that comes
  /// late cannot take a later sleep for the one it ended.
  std::atomic<std::uint32_t> sleeping = 0;
  std::atomic<std::uint32_t> bell = 0;  ///< the futex; each ring adds one
  /// On Clock, nanoseconds: written before the bell, which is rung with release, so that a process
  /// that has seen the bell sees this ring's time or a later one's.
  std::atomic<std::int64_t> rung_at = 0;
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

/// Ends a sleep for sure. Async-signal-safe.
void ring_bell(Doorbell& door);

/// Wakes the owner if it sleeps; returns whether it did. The caller has written the data for the
/// owner, and fenced.
inline bool wake_if_asleep(Doorbell& door) {
  const std::uint32_t sleep = door.sleeping.load(std::memory_order_relaxed);
  if (sleep == 0) [[likely]]
    return false;
  // Woken first, marked awake after: a waker that is killed in between has done its work.
  ring_bell(door);
  std::uint32_t same = sleep;
  door.sleeping.compare_exchange_strong(same, 0, std::memory_order_relaxed);
  return true;
}

/// Waits while the bell has not been rung since it read `seen`.
void wait_for_bell(Doorbell& door, std::uint32_t seen, Deadline deadline);

/// Sleeps at the owner's own door unless `ready()`; until the bell rings or the deadline passes,
/// or shorter. `sleep` numbers this owner's sleeps. Returns the time when the bell last rang.
template <class Ready>
Deadline sleep_at(Doorbell& door, std::uint32_t& sleep, Fences const& fences, Deadline deadline,
                  Ready const& ready) {
  constexpr auto nap = std::chrono::milliseconds{1};
  const std::uint32_t seen = door.bell.load(std::memory_order_acquire);
  if (++sleep == 0) ++sleep;
  door.sleeping.store(sleep, std::memory_order_relaxed);
  if (!fences.all()) deadline = std::min(deadline, Clock::now() + nap);
  if (!ready()) wait_for_bell(door, seen, deadline);
  door.sleeping.store(0, std::memory_order_relaxed);
  // Only a bell that has been seen says anything of this sleep; the acquire pairs with ring_bell().
  if (door.bell.load(std::memory_order_acquire) == seen) return {};
  return Deadline{std::chrono::nanoseconds{door.rung_at.load(std::memory_order_relaxed)}};
}

}  // namespace earl
