// SPDX-License-Identifier: BSD-3-Clause
/// The position up to which a process has read the notices that EXEC writes on a board.
#pragma once

#include <atomic>
#include <cstdint>

#include "generic/base/values.hpp"

namespace earl {

/// The board is a JobBoard, or memory like one: counters that only grow, and a circular list of
/// ended ranks. It is the process's own; the counters outlive it.
class BoardNotices {
 public:
  /// Control notices are read from now on, ends from the oldest of which a list of `rows` ranks
  /// still has the rank.
  BoardNotices(std::atomic<std::uint32_t> const& control_notices,
               std::atomic<std::uint32_t> const& deaths, std::uint32_t rows)
      : control_count_(control_notices), death_count_(deaths), rows_(rows) {
    auto const ended = deaths.load(std::memory_order_acquire);
    deaths_ = ended > rows ? ended - rows : 0;
  }

  /// A notice is unread. For a wait: orders nothing.
  bool pending() const {
    return control_count_.load(std::memory_order_relaxed) != control_notices_ ||
           death_count_.load(std::memory_order_relaxed) != deaths_;
  }
  /// EXEC has written to the control channel since this was called last.
  bool take_control_notice() {
    auto const now = control_count_.load(std::memory_order_acquire);
    if (now == control_notices_) [[likely]]
      return false;
    control_notices_ = now;
    return true;
  }
  /// Ranks have ended that read_deaths() has not read.
  bool has_deaths() const { return death_count_.load(std::memory_order_acquire) != deaths_; }
  /// The number of ends that have been read or skipped.
  std::uint32_t deaths_read() const { return deaths_; }
  /// For a process that has nothing of those that have ended before it began.
  void skip_deaths() { deaths_ = death_count_.load(std::memory_order_acquire); }

  /// Calls `observe` for each rank that has ended since the last call; `board.dead(n)` gives the
  /// n-th entry of the list. Calls `observe_known` instead when some are not in the list any more:
  /// then every process known to the caller is to be looked at.
  template <class Board, class Observe, class ObserveKnown>
  void read_deaths(Board& board, Observe const& observe, ObserveKnown const& observe_known) {
    auto const ended = death_count_.load(std::memory_order_acquire);
    for (; deaths_ != ended; ++deaths_) {
      const Rank rank = board.dead(deaths_);
      // The circle may have come round since this process looked last.
      if (death_count_.load(std::memory_order_seq_cst) - deaths_ >= rows_) {
        observe_known();
        deaths_ = ended;
        return;
      }
      observe(rank);
    }
  }

 private:
  std::atomic<std::uint32_t> const& control_count_;
  std::atomic<std::uint32_t> const& death_count_;
  std::uint32_t rows_;
  std::uint32_t control_notices_ = 0;
  std::uint32_t deaths_ = 0;
};

}  // namespace earl
