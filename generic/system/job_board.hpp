// SPDX-License-Identifier: BSD-3-Clause
/// State that EXEC and the processes of a job share beside the back end that carries packets: a
/// small piece of shared memory without a name.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

#include "generic/base/values.hpp"
#include "generic/system/board_notices.hpp"
#include "generic/system/shared_memory.hpp"

namespace earl {

/// Begins the head of every board. A back end's own board has more members, and three constants:
/// `magic_value`, with which no other kind of memory begins, `name`, as /proc shows it, and `what`
/// it is.
struct JobBoardHead {
  std::uint64_t magic = 0;
  std::uint32_t capacity = 0;
  /// The number of ranks written into the list of ended ranks, a ring buffer.
  std::atomic<std::uint32_t> deaths = 0;
};

/// Begins the row of every process. Where places are used again, it is found by the low bits of a
/// Rank; the others are its incarnation.
struct JobBoardRow {
  /// Twice the incarnation of the newest process of this row, plus 1 when it has ended; written by
  /// EXEC, as the next.
  std::atomic<std::uint32_t> state = 0;
  /// The number of times that EXEC has written to its control channel.
  std::atomic<std::uint32_t> control_notices = 0;
  std::atomic<std::uint32_t> wanted = 0;  ///< some process waits to reach it; written by any
};

/// All zero at first. It has as many rows as the capacity, rounded up to a power of two. `Head` and
/// `Row` are derived from those above.
template <class Head, class Row>
class JobBoard {
 public:
  /// EXEC's. Throws Error when the system has no memory.
  explicit JobBoard(std::uint32_t capacity) : memory_(Head::name, size_for(capacity)) {
    head_->magic = Head::magic_value;
    head_->capacity = capacity;
    last_row_ = std::bit_ceil(capacity) - 1;
  }
  /// A process's: takes the descriptor over. Throws Error when it is something else.
  explicit JobBoard(Descriptor memory) : memory_(std::move(memory), rows_at, Head::what) {
    if (head_->magic != Head::magic_value || head_->capacity == 0 ||
        memory_.size() != size_for(head_->capacity))
      memory_.refuse(Head::what);
    last_row_ = std::bit_ceil(head_->capacity) - 1;
  }

  int descriptor() const { return memory_.descriptor(); }
  std::uint32_t capacity() const { return head_->capacity; }
  Head& head() { return *head_; }
  std::uint32_t rows() const { return last_row_ + 1; }
  std::size_t slot(Rank rank) const { return index(rank) & last_row_; }
  /// The first process that had the row of `rank`, for what is kept by row.
  Rank first_rank_of_row(Rank rank) const { return Rank{static_cast<std::int32_t>(slot(rank))}; }
  /// It can be a process of this job.
  bool has_room_for(Rank rank) const { return number(rank) >= 0 && slot(rank) < capacity(); }
  /// It is or was a process of this job.
  bool has(Rank rank) const { return has_room_for(rank) && state(rank) >= first_state(rank); }
  /// The row is this process's, or was until it ended and no other has it yet.
  bool is_of(Rank rank) const {
    return has_room_for(rank) && state(rank) >> 1 == first_state(rank) >> 1;
  }
  /// The process must be there: see has().
  Row& row(Rank rank) { return rows_[slot(rank)]; }
  bool has_ended(Rank rank) const { return state(rank) > first_state(rank); }
  BoardNotices notices_for(Rank me) { return {row(me).control_notices, head().deaths, rows()}; }
  /// The rank that ended as the n-th; of the last rows() only.
  Rank dead(std::uint32_t n) const {
    return Rank{ended_list()[n & last_row_].load(std::memory_order_relaxed)};
  }
  /// Says that `rank` has ended; once.
  void mark_ended(Rank rank) {
    auto lives = first_state(rank);
    if (!row(rank).state.compare_exchange_strong(lives, lives + 1)) return;
    auto const n = head_->deaths.load(std::memory_order_relaxed);
    ended_list()[n & last_row_].store(number(rank), std::memory_order_relaxed);
    head_->deaths.store(n + 1, std::memory_order_release);
  }
  /// The row is that of `rank` from now on: the process that had it has ended. What a back end's
  /// own row says is to be written afterwards. Returns whether a process waits to reach it already.
  bool begin(Rank rank) {
    auto& mine = row(rank);
    mine.state.store(first_state(rank), std::memory_order_seq_cst);
    mine.control_notices.store(0);
    return mine.wanted.exchange(0) != 0;
  }

 private:
  static constexpr std::size_t line = 64;
  static constexpr std::size_t rows_at = (sizeof(Head) + line - 1) / line * line;
  static constexpr std::size_t size_for(std::uint32_t capacity) {
    return rows_at + std::bit_ceil(capacity) * (sizeof(Row) + sizeof(std::int32_t));
  }
  std::uint32_t first_state(Rank rank) const {
    return static_cast<std::uint32_t>(index(rank) / rows()) << 1;
  }
  std::uint32_t state(Rank rank) const {
    return rows_[slot(rank)].state.load(std::memory_order_acquire);
  }
  std::atomic<std::int32_t>* ended_list() const {
    return reinterpret_cast<std::atomic<std::int32_t>*>(rows_ + rows());
  }

  SharedMemory memory_;
  Head* const head_ = reinterpret_cast<Head*>(memory_.data());
  Row* const rows_ = reinterpret_cast<Row*>(memory_.data() + rows_at);
  std::uint32_t last_row_ = 0;
};

}  // namespace earl
