// SPDX-License-Identifier: BSD-3-Clause
/// The number of processes of a job that are awake on each CPU of this host: in memory that they
/// share.
///
/// All of it is a hint for how to wait. Each word is read and written with relaxed order: nothing
/// is published by them, no process waits for one to change, and a wrong or damaged one only makes
/// a wait choose a slower way. That no wake-up is lost is the doorbell's affair alone.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "generic/base/values.hpp"

namespace earl {

/// Starts as zeros. On machines with more CPUs several share a row.
struct AwakeTable {
  static constexpr std::size_t rows = 256;
  static constexpr std::size_t line = 64;

  struct alignas(line) Cpu {
    /// Written by a process that goes to sleep, wakes up or has been moved.
    std::atomic<std::int32_t> awake = 0;
    // Written by a yielding process; on a line of its own.
    alignas(line) std::atomic<std::int64_t> yield_disabled_until = 0;  ///< on Clock, nanoseconds
    std::atomic<std::int64_t> ban = 0;                                 ///< length of the last one
    std::atomic<std::int32_t> slow_yield_score = 0;
  };
  Cpu cpus[rows] = {};

  Cpu& at(std::uint32_t cpu) { return cpus[cpu % rows]; }
  /// EXEC's, of a process that has ended: `word` is that process's. One that was killed between
  /// writing its word and the count leaves the count one too low for good: a wait there spins
  /// where it could have yielded at once.
  void remove(std::atomic<std::uint32_t>& word);
};
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

/// A process's knowledge of the CPU that it runs on.
struct CpuState {
  std::int32_t awake = 1;       ///< processes of the job, this one included
  bool yield_disabled = false;  ///< a yield here costs a time slice of a foreign program
};

/// One process's entry in the table. Without a table all calls do nothing.
class AwakeEntry {
 public:
  AwakeEntry() = default;
  /// `word` is this process's alone, in the same memory: the row it is counted in, from 1.
  AwakeEntry(AwakeTable& table, std::atomic<std::uint32_t>& word) : table_(&table), word_(&word) {}

  bool known() const { return table_ != nullptr; }
  /// Records that this process is awake on the CPU it runs on, and what else is awake there.
  CpuState observe(Deadline now);
  /// Like observe(), where the process is known to run on `cpu`.
  CpuState look_at(std::uint32_t cpu, Deadline now);
  /// Says that this process is about to sleep.
  void leave();
  /// A yield took from `begin` to `end` on the CPU of the last observe(): long ones again and again
  /// ban yields there, for all processes of the job and for a while.
  void judge_yield(Deadline begin, Deadline end);

 private:
  void count_in(std::uint32_t row);

  AwakeTable* table_ = nullptr;
  std::atomic<std::uint32_t>* word_ = nullptr;
  std::uint32_t row_ = 0;  ///< as in the word, which other processes might have damaged
};

}  // namespace earl
