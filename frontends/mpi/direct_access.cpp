// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/direct_access.hpp"

#include "frontends/mpi/windows.hpp"

namespace earl::mpi {

namespace {

/// A process that waits for a lock, and wakes others: by message, so that a deadlock is found.
struct WindowMember {
  Window& window;

  void idle() const { window.process.idle(); }
  void wake(std::uint32_t member) const {
    window.send(window.scope->local->rank_of(static_cast<int>(member)), WindowTag::granted);
  }
  /// Class INTERN: no member is left that could wake it.
  void sleep() const {
    std::vector<Rank> others;
    for (Rank const rank : window.scope->local->ranks())
      if (rank != window.process.rank()) others.push_back(rank);
    auto const got = window.process.receive({.sources = others,
                                             .context = window.scope->context,
                                             .tag = TagMatch::exactly(tag_of(WindowTag::granted))},
                                            {});
    if (got.lost)
      throw MpiError(ErrorClass::intern, "the members of {} have ended, one of them with the lock",
                     window.scope->to_text());
  }
};

}  // namespace

std::size_t DirectAccess::room_for_locks(std::size_t members) {
  return members * (sizeof(Locks) + members * sizeof(SleepingLock::Note));
}

DirectAccess::Locks& DirectAccess::locks_of(int target) const {
  return reinterpret_cast<Locks*>(memory_)[target];
}

SleepingLock DirectAccess::window_lock(int target) const {
  auto* const notes = reinterpret_cast<SleepingLock::Note*>(memory_ + members_ * sizeof(Locks));
  return {locks_of(target).window, {notes + static_cast<std::size_t>(target) * members_, members_}};
}

void DirectAccess::lock(Window& window, int target, LockType type) {
  auto const me = static_cast<std::uint32_t>(window.scope->group().me);
  window_lock(target).lock(WindowMember{window}, me, type);
}

void DirectAccess::unlock(Window& window, int target, LockType type) {
  window_lock(target).unlock(WindowMember{window}, type);
}

void DirectAccess::let_others_run(Process& process) {
  constexpr unsigned rarely = 64;
  if (++calls_ % rarely == 0) process.idle();
}

DirectAccess::Combining::Combining(DirectAccess const& access, Process& process, int target)
    : busy_(access.locks_of(target).combining) {
  while (busy_.exchange(1, std::memory_order_acquire) != 0) process.idle();
}

}  // namespace earl::mpi
