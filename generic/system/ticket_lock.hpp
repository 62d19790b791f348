// SPDX-License-Identifier: BSD-3-Clause
/// Locks in memory that processes share.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

namespace earl {

/// Held by several at once or by one alone, in the order in which they asked. All zeros: free.
/// Waiting is the caller's: enter...() says no until it is the ticket's turn, and the functions
/// that move the exclusive turn say whose it is now.
class TicketLock {
 public:
  /// A place in the order. It must be entered and left.
  std::uint32_t ask() { return next_.fetch_add(1); }

  /// True: the ticket's holder has the lock, and the next ticket's may share it. What holders
  /// before it have written is seen.
  bool enter_shared(std::uint32_t ticket) {
    if (shared_turn_.load() != ticket) return false;
    shared_turn_.fetch_add(1);
    return true;
  }
  bool enter_exclusive(std::uint32_t ticket) { return exclusive_turn_.load() == ticket; }

  std::uint32_t leave_shared() { return exclusive_turn_.fetch_add(1) + 1; }
  std::uint32_t leave_exclusive() {
    shared_turn_.fetch_add(1);
    return exclusive_turn_.fetch_add(1) + 1;
  }

 private:
  std::atomic<std::uint32_t> next_{0};
  std::atomic<std::uint32_t> shared_turn_{0};
  std::atomic<std::uint32_t> exclusive_turn_{0};
};

enum class LockType : std::uint8_t { shared, exclusive };

/// A ticket lock whose waiting processes sleep after a while. A process notes that it waits and
/// looks again before it sleeps; one that moves the turn looks for such a note then. All of this is
/// in one order (seq_cst): one of the two sees the other.
///
/// `Member`: idle() lets others run; sleep() returns after another member's wake(me), which may
/// have come before.
class SleepingLock {
 public:
  /// 1 + the number of the member that sleeps until it is a ticket's turn; 0: none does.
  using Note = std::atomic<std::uint32_t>;

  /// A note for each member: each holds or wants one ticket at most, so that no two tickets out
  /// have the same.
  SleepingLock(TicketLock& lock, std::span<Note> notes) : lock_(lock), notes_(notes) {}

  template <class Member>
  void lock(Member&& member, std::uint32_t me, LockType type) {
    constexpr int looks = 50;
    auto const ticket = lock_.ask();
    bool is_mine = enter(ticket, type);
    for (int i = 0; i < looks && !is_mine; ++i) {
      member.idle();
      is_mine = enter(ticket, type);
    }
    while (!is_mine) {
      Note& note = note_of(ticket);
      note.store(1 + me);
      is_mine = enter(ticket, type);
      if (is_mine && note.exchange(0) != 0) break;
      member.sleep();
      is_mine = is_mine || enter(ticket, type);
    }
    if (type == LockType::shared) wake(member, ticket + 1);
  }
  template <class Member>
  void unlock(Member&& member, LockType type) {
    wake(member, type == LockType::shared ? lock_.leave_shared() : lock_.leave_exclusive());
  }

 private:
  bool enter(std::uint32_t ticket, LockType type) {
    return type == LockType::shared ? lock_.enter_shared(ticket) : lock_.enter_exclusive(ticket);
  }
  Note& note_of(std::uint32_t ticket) { return notes_[ticket % notes_.size()]; }
  template <class Member>
  void wake(Member& member, std::uint32_t ticket) {
    Note& note = note_of(ticket);
    if (note.load() == 0) return;
    if (auto const sleeper = note.exchange(0); sleeper != 0) member.wake(sleeper - 1);
  }

  TicketLock& lock_;
  std::span<Note> notes_;
};

}  // namespace earl
