// SPDX-License-Identifier: BSD-3-Clause
/// MPI-3, 11.5: synchronization of windows.
#include <algorithm>
#include <atomic>

#include "frontends/mpi/window_calls.hpp"
#include "generic/collectives/collectives.hpp"
#include "generic/request_table.hpp"

namespace earl::mpi {

namespace {

/// Class ASSERT.
void check_assertion(int assertion, int allowed) {
  if ((assertion & ~allowed) != 0)
    throw MpiError(ErrorClass::assertion,
                   "assert is {}: pass 0, or some of the {} that this "
                   "call takes",
                   assertion, allowed);
}

/// Class RMA_SYNC, unless `is_so`.
void check_epoch(bool is_so, char const* sentence) {
  if (!is_so) throw MpiError(ErrorClass::rma_sync, "{}", sentence);
}

void check_unlocked(Window const& window) {
  check_epoch(!window.epochs.has_locks() && !window.epochs.is_locked_all(),
              "win is locked: unlock it first");
}
/// The process may hold locks on others while it exposes its own memory.
void check_own_unlocked(Window const& window) {
  check_epoch(!window.epochs.is_locked(window.scope->local->me()) && !window.epochs.is_locked_all(),
              "win is locked at this process, too: unlock it first");
}
void check_not_started(Window const& window) {
  check_epoch(!window.epochs.started, "win is started: call MPI_Win_complete first");
}

/// An epoch of fences without operations ends with the begin of another one.
void leave_fences(Window& window) {
  Epochs& epochs = window.epochs;
  if (!epochs.fenced) return;
  check_epoch(!epochs.is_any_dirty(),
              "win has operations since MPI_Win_fence: call that again first");
  epochs.fenced = false;
}

void fence(State& me, Window& window, int assertion) {
  check_assertion(assertion,
                  MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED);
  check_unlocked(window);
  check_not_started(window);
  window.flush_all();
  earl::barrier(me.process(), window.scope->group());
  window.epochs.fenced = (assertion & MPI_MODE_NOSUCCEED) == 0;
}

/// The program promises with MPI_MODE_NOCHECK that no lock conflicts: there is nothing to ask for.
/// OpenCoarrays' event_wait depends on that: those that it waits for lock its window exclusively.
Held held_under(int assertion, LockType type) {
  if ((assertion & MPI_MODE_NOCHECK) != 0) return Held::unchecked;
  return type == LockType::shared ? Held::shared : Held::exclusive;
}

LockType type_of(Held held) {
  return held == Held::exclusive ? LockType::exclusive : LockType::shared;
}

void ask_for_lock(Window& window, int target, LockType type) {
  window.ask(target, {.access = Access::lock, .element = static_cast<std::uint32_t>(type)});
}

/// While it lasts, reports say which lock the window waits for.
class Wanting {
 public:
  Wanting(Window& window, int target, LockType type) : window_(window) {
    window_.wanted = {.target = target, .type = type};
  }
  ~Wanting() { window_.wanted.reset(); }
  Wanting(Wanting const&) = delete;
  Wanting& operator=(Wanting const&) = delete;

 private:
  Window& window_;
};

void await_lock(Window& window, int target, LockType type) {
  Wanting const wanting{window, target, type};
  window.await(target, WindowTag::granted);
}

void lock_directly(Window& window, int target, LockType type) {
  Wanting const wanting{window, target, type};
  window.direct.lock(window, target, type);
}

void acquire_lock(Window& window, int target, LockType type) {
  if (window.direct.in_use()) return lock_directly(window, target, type);
  ask_for_lock(window, target, type);
  await_lock(window, target, type);
}

void lock(Window& window, int type, int target, int assertion) {
  if (type != MPI_LOCK_EXCLUSIVE && type != MPI_LOCK_SHARED)
    throw MpiError(ErrorClass::locktype,
                   "lock_type is {}: pass MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE", type);
  check_member(window, target, "rank");
  check_assertion(assertion, MPI_MODE_NOCHECK);
  if (target == MPI_PROC_NULL) return;
  check_epoch(!window.epochs.is_locked(target) && !window.epochs.is_locked_all(),
              "win is locked at this rank: unlock it first");
  check_not_started(window);
  leave_fences(window);
  LockType const wanted = type == MPI_LOCK_SHARED ? LockType::shared : LockType::exclusive;
  Held const how = held_under(assertion, wanted);
  if (how != Held::unchecked) acquire_lock(window, target, wanted);
  window.epochs.set_held(target, how);
}

/// The target has served what came before it when it answers.
void release_lock(Window& window, int target, Held held) {
  if (window.direct.in_use()) {
    window.direct.unlock(window, target, type_of(held));
    return window.flush(target);
  }
  window.ask(target, {.access = Access::unlock});
  window.await(target, WindowTag::done);
  window.finish_fetches(target);
}

void unlock(Window& window, int target) {
  check_member(window, target, "rank");
  if (target == MPI_PROC_NULL) return;
  check_epoch(window.epochs.is_locked(target), "win is not locked at this rank: lock it first");
  Held const held = window.epochs.held(target);
  if (held == Held::unchecked)
    window.flush(target);
  else
    release_lock(window, target, held);
  window.epochs.set_held(target, Held::no);
}

void acquire_locks(Window& window) {
  if (window.direct.in_use()) {
    for (int target = 0; target < window.members(); ++target)
      lock_directly(window, target, LockType::shared);
    return;
  }
  for (int target = 0; target < window.members(); ++target)
    ask_for_lock(window, target, LockType::shared);
  for (int target = 0; target < window.members(); ++target)
    await_lock(window, target, LockType::shared);
}

void lock_all(Window& window, int assertion) {
  check_assertion(assertion, MPI_MODE_NOCHECK);
  check_unlocked(window);
  check_not_started(window);
  leave_fences(window);
  Held const how = held_under(assertion, LockType::shared);
  if (how != Held::unchecked) acquire_locks(window);
  window.epochs.all = how;
}

void release_locks(Window& window) {
  if (window.direct.in_use()) {
    for (int target = 0; target < window.members(); ++target)
      window.direct.unlock(window, target, LockType::shared);
    return window.flush_all();
  }
  for (int target = 0; target < window.members(); ++target)
    window.ask(target, {.access = Access::unlock});
  for (int target = 0; target < window.members(); ++target) {
    window.await(target, WindowTag::done);
    window.finish_fetches(target);
  }
}

void unlock_all(Window& window) {
  check_epoch(window.epochs.is_locked_all(),
              "win is not locked by MPI_Win_lock_all: call that first");
  if (window.epochs.all == Held::unchecked)
    window.flush_all();
  else
    release_locks(window);
  window.epochs.all = Held::no;
}

void flush_one(Window& window, int target) {
  check_member(window, target, "rank");
  if (target == MPI_PROC_NULL) return;
  check_epoch(window.epochs.is_locked(target) || window.epochs.is_locked_all(),
              "win is not locked at this rank: lock it first");
  window.flush(target);
}

void flush_locked(Window& window) {
  check_epoch(window.epochs.has_locks() || window.epochs.is_locked_all(),
              "win is not locked: lock it first");
  window.flush_all();
}

/// Class GROUP: a process is no member of the window's group.
void check_in_window(Window const& window, Members const& members) {
  for (auto const rank : members.ranks())
    if (window.scope->local->number_of(rank) == Members::none)
      throw MpiError(ErrorClass::group, "group has process {}, which is no member of {}",
                     number(rank), window.scope->to_text());
}

void post(State& me, Window& window, Handle group, int assertion) {
  check_assertion(assertion, MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT);
  auto const origins = me.group(group);
  check_in_window(window, *origins);
  check_epoch(!window.is_posted, "win is posted: call MPI_Win_wait first");
  check_own_unlocked(window);
  leave_fences(window);
  for (auto const rank : origins->ranks()) {
    window.completions.push_back(
        me.process().start_receive({.source = rank,
                                    .context = window.scope->context,
                                    .tag = TagMatch::exactly(tag_of(WindowTag::completed))},
                                   {}));
    window.send(rank, WindowTag::posted);
  }
  window.is_posted = true;
}

void start_epoch(State& me, Window& window, Handle group, int assertion) {
  check_assertion(assertion, MPI_MODE_NOCHECK);
  auto const targets = me.group(group);
  check_in_window(window, *targets);
  check_not_started(window);
  check_unlocked(window);
  leave_fences(window);
  for (auto const rank : targets->ranks())
    window.await(window.scope->local->number_of(rank), WindowTag::posted);
  window.epochs.started = targets;
}

void complete_epoch(Window& window) {
  check_epoch(static_cast<bool>(window.epochs.started),
              "win is not started: call MPI_Win_start first");
  window.flush_all();
  for (auto const rank : window.epochs.started->ranks()) window.send(rank, WindowTag::completed);
  window.epochs.started = {};
}

/// True: the epoch has ended.
bool end_exposure(State& me, Window& window, bool waits) {
  check_epoch(window.is_posted, "win is not posted: call MPI_Win_post first");
  std::vector<Completion> results(window.completions.size());
  auto& requests = me.process().requests();
  if (waits)
    requests.wait_all(window.completions, results);
  else if (!requests.test_all(window.completions, results))
    return false;
  window.completions.clear();
  window.is_posted = false;
  return true;
}

}  // namespace
}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::State;
using mpi::Window;

extern "C" int PMPI_Win_fence(int assertion, MPI_Win win) {
  return mpi::call_on_window("MPI_Win_fence", win,
                             [&](State& me, Window& window) { mpi::fence(me, window, assertion); });
}
EARL_MPI(Win_fence)

extern "C" int PMPI_Win_start(MPI_Group group, int assertion, MPI_Win win) {
  return mpi::call_on_window("MPI_Win_start", win, [&](State& me, Window& window) {
    mpi::start_epoch(me, window, group, assertion);
  });
}
EARL_MPI(Win_start)

extern "C" int PMPI_Win_complete(MPI_Win win) {
  return mpi::call_on_window("MPI_Win_complete", win,
                             [&](State&, Window& window) { mpi::complete_epoch(window); });
}
EARL_MPI(Win_complete)

extern "C" int PMPI_Win_post(MPI_Group group, int assertion, MPI_Win win) {
  return mpi::call_on_window("MPI_Win_post", win, [&](State& me, Window& window) {
    mpi::post(me, window, group, assertion);
  });
}
EARL_MPI(Win_post)

extern "C" int PMPI_Win_wait(MPI_Win win) {
  return mpi::call_on_window(
      "MPI_Win_wait", win, [&](State& me, Window& window) { mpi::end_exposure(me, window, true); });
}
EARL_MPI(Win_wait)

extern "C" int PMPI_Win_test(MPI_Win win, int* flag) {
  return mpi::call_on_window("MPI_Win_test", win, [&](State& me, Window& window) {
    mpi::require(flag, "flag");
    *flag = mpi::end_exposure(me, window, false) ? 1 : 0;
  });
}
EARL_MPI(Win_test)

extern "C" int PMPI_Win_lock(int lock_type, int rank, int assertion, MPI_Win win) {
  return mpi::call_on_window("MPI_Win_lock", win, [&](State&, Window& window) {
    mpi::lock(window, lock_type, rank, assertion);
  });
}
EARL_MPI(Win_lock)

extern "C" int PMPI_Win_unlock(int rank, MPI_Win win) {
  return mpi::call_on_window("MPI_Win_unlock", win,
                             [&](State&, Window& window) { mpi::unlock(window, rank); });
}
EARL_MPI(Win_unlock)

extern "C" int PMPI_Win_lock_all(int assertion, MPI_Win win) {
  return mpi::call_on_window("MPI_Win_lock_all", win,
                             [&](State&, Window& window) { mpi::lock_all(window, assertion); });
}
EARL_MPI(Win_lock_all)

extern "C" int PMPI_Win_unlock_all(MPI_Win win) {
  return mpi::call_on_window("MPI_Win_unlock_all", win,
                             [&](State&, Window& window) { mpi::unlock_all(window); });
}
EARL_MPI(Win_unlock_all)

extern "C" int PMPI_Win_flush(int rank, MPI_Win win) {
  return mpi::call_on_window("MPI_Win_flush", win,
                             [&](State&, Window& window) { mpi::flush_one(window, rank); });
}
EARL_MPI(Win_flush)

extern "C" int PMPI_Win_flush_local(int rank, MPI_Win win) {
  return mpi::call_on_window("MPI_Win_flush_local", win,
                             [&](State&, Window& window) { mpi::flush_one(window, rank); });
}
EARL_MPI(Win_flush_local)

extern "C" int PMPI_Win_flush_all(MPI_Win win) {
  return mpi::call_on_window("MPI_Win_flush_all", win,
                             [&](State&, Window& window) { mpi::flush_locked(window); });
}
EARL_MPI(Win_flush_all)

extern "C" int PMPI_Win_flush_local_all(MPI_Win win) {
  return mpi::call_on_window("MPI_Win_flush_local_all", win,
                             [&](State&, Window& window) { mpi::flush_locked(window); });
}
EARL_MPI(Win_flush_local_all)

// The program's own accesses are to the same memory, in an order that others see where they share
// it; requests that have come are served.
extern "C" int PMPI_Win_sync(MPI_Win win) {
  return mpi::call_on_window("MPI_Win_sync", win, [&](State& me, Window&) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    me.process().idle();
    std::atomic_thread_fence(std::memory_order_seq_cst);
  });
}
EARL_MPI(Win_sync)
