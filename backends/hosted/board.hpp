// SPDX-License-Identifier: BSD-3-Clause
/// State that EXEC and the processes of a job on a native library share beside it: members,
/// departed processes, control notices, sleeping processes. A small piece of shared memory without
/// a name; each host of a job has its own.
#pragma once

#include <atomic>
#include <cstdint>

#include "backends/hosted/spread.hpp"
#include "generic/base/values.hpp"
#include "generic/system/fences.hpp"
#include "generic/system/shared_memory.hpp"

namespace earl::hosted_backend {

enum class ProcessState : std::uint32_t {
  unborn,
  inside,    ///< of the library
  departed,  ///< it has left, all it sent is taken in, and it stays until the others have left
  drained,   ///< all that it sent has been carried, and it still receives
  outside,   ///< it has left the library
  ended,     ///< before that
};

struct alignas(128) BoardRow {
  std::atomic<std::uint32_t> state = 0;  ///< a ProcessState
  std::atomic<std::uint32_t> control_notices =
      0;  ///< how often EXEC has written to its control channel
  std::atomic<std::uint32_t> asleep = 0;
  std::atomic<std::uint32_t> door = 0;  ///< futex to sleep on; counts rings
  std::uint32_t host = 0;               ///< where it is
};

struct BoardHead {
  std::uint64_t magic = 0;
  std::uint32_t processes = 0;  ///< on all hosts
  std::uint32_t here = 0;       ///< this host
  std::uint32_t spins = 0;      ///< not 0: every process here has a CPU
  std::uint32_t one_sided = 0;  ///< not 0: a process about to nap fences for all (Fences)
  std::atomic<std::uint32_t> changes = 0;  ///< of lives that others must observe
};

class Board {
 public:
  /// EXEC's. Throws Error when the system has no memory.
  Board(Spread const& spread, std::uint32_t cpus);
  /// A process's: takes the descriptor over. Throws Error when it is something else.
  explicit Board(Descriptor memory);

  int descriptor() const { return memory_.descriptor(); }
  std::uint32_t processes() const { return head_->processes; }
  BoardHead& head() { return *head_; }
  bool has(Rank rank) const { return number(rank) >= 0 && index(rank) < processes(); }
  BoardRow& row(Rank rank) { return rows_[index(rank)]; }
  ProcessState state(Rank rank) const {
    return static_cast<ProcessState>(rows_[index(rank)].state.load(std::memory_order_acquire));
  }
  bool is_here(Rank rank) const { return rows_[index(rank)].host == head_->here; }
  /// One process of each other host.
  std::vector<Rank> elsewhere() const;
  /// All processes here observe it; sleeping ones are woken.
  void change(Rank rank, ProcessState state);
  /// Wakes it if it sleeps. Async-signal-safe, from any process.
  void ring(Rank rank) {
    fence();
    ring_if_asleep(rank);
  }
  /// The same after a fence of the caller's.
  void ring_if_asleep(Rank rank) {
    if (row(rank).asleep.load(std::memory_order_relaxed) != 0) [[unlikely]]
      ring_door(rank);
  }
  /// Sleeps until rung, `microseconds` at most, unless `door` has changed.
  void sleep(Rank me, std::uint32_t door, std::int64_t microseconds);

 private:
  void divide();
  void ring_door(Rank rank);

  SharedMemory memory_;
  BoardHead* head_ = nullptr;
  BoardRow* rows_ = nullptr;
};

}  // namespace earl::hosted_backend
