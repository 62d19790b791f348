// SPDX-License-Identifier: BSD-3-Clause
/// Windows whose memory all members have mapped: the origin of an operation carries it out itself,
/// and the target need not be in a call. No debugger sees that: where one watches, operations are
/// messages.
#pragma once

#include <atomic>
#include <cstddef>

#include "generic/system/ticket_lock.hpp"

namespace earl {
class Process;
}

namespace earl::mpi {

struct Window;

class DirectAccess {
 public:
  /// Bytes that the locks of a window take before its memory.
  static std::size_t room_for_locks(std::size_t members);
  /// `memory`: that of all members, all zeros at first.
  void use(std::byte* memory, std::size_t members) {
    memory_ = memory;
    members_ = members;
  }
  /// False: operations are messages.
  bool in_use() const { return memory_ != nullptr; }

  /// Waits for the lock.
  void lock(Window& window, int target, LockType type);
  void unlock(Window& window, int target, LockType type);
  /// Reads and writes of this process until now come before its next ones.
  static void complete() { std::atomic_thread_fence(std::memory_order_seq_cst); }
  /// For calls that programs repeat until they find a value: others go on in between.
  void let_others_run(Process& process);

  /// While it lasts, only this process combines data in the target's memory.
  class Combining {
   public:
    Combining(DirectAccess const& access, Process& process, int target);
    ~Combining() { busy_.store(0, std::memory_order_release); }
    Combining(Combining const&) = delete;
    Combining& operator=(Combining const&) = delete;

   private:
    std::atomic<std::uint32_t>& busy_;
  };

 private:
  /// The locks of one target.
  struct alignas(64) Locks {
    TicketLock window{};
    std::atomic<std::uint32_t> combining{0};  ///< 1: a process does
  };
  Locks& locks_of(int target) const;
  SleepingLock window_lock(int target) const;

  std::byte* memory_ = nullptr;
  std::size_t members_ = 0;
  unsigned calls_ = 0;
};

}  // namespace earl::mpi
