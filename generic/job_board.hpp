// SPDX-License-Identifier: BSD-3-Clause
/// State that EXEC and the processes of a job share beside the back end that carries packets: a
/// small piece of shared memory without a name.
#pragma once

#include <atomic>
#include <cstdint>

#include "generic/base/values.hpp"
#include "generic/system/shared_memory.hpp"

namespace earl {

/// Begins the head of every board. A back end's own board has more members, and three constants:
/// `word`, with which no other kind of memory begins, `name`, as /proc shows it, and `what` it is.
struct JobBoardHead {
  std::uint64_t magic = 0;
  std::uint32_t capacity = 0;
  std::atomic<std::uint32_t> deaths = 0;  ///< entries in the list of ended ranks
};

/// Begins the row of every process.
struct JobBoardRow {
  std::atomic<std::uint32_t> ended = 0;  ///< written by EXEC, as the next
  std::atomic<std::uint32_t> control_notices =
      0;                                  ///< how often EXEC has written to its control channel
  std::atomic<std::uint32_t> wanted = 0;  ///< some process waits to reach it; written by any
};

/// All zero at first. `Head` and `Row` are derived from those above.
template <class Head, class Row>
class JobBoard {
 public:
  /// EXEC's. Throws Error when the system has no memory.
  explicit JobBoard(std::uint32_t capacity) : memory_(Head::name, size_for(capacity)) {
    head_->magic = Head::word;
    head_->capacity = capacity;
  }
  /// A process's: takes the descriptor over. Throws Error when it is something else.
  explicit JobBoard(Descriptor memory) : memory_(std::move(memory), rows_at, Head::what) {
    if (head_->magic != Head::word || head_->capacity == 0 ||
        memory_.size() != size_for(head_->capacity))
      memory_.refuse(Head::what);
  }

  int descriptor() const { return memory_.descriptor(); }
  std::uint32_t capacity() const { return head_->capacity; }
  Head& head() { return *head_; }
  bool has(Rank rank) const { return number(rank) >= 0 && index(rank) < capacity(); }
  Row& row(Rank rank) { return rows_[index(rank)]; }
  bool has_ended(Rank rank) const {
    return rows_[index(rank)].ended.load(std::memory_order_acquire) != 0;
  }
  /// The rank that ended as the n-th, n below head().deaths.
  Rank dead(std::uint32_t n) const { return Rank{obituary()[n].load(std::memory_order_relaxed)}; }
  /// Says that `rank` has ended; once.
  void mark_ended(Rank rank) {
    if (row(rank).ended.exchange(1) != 0) return;
    auto const n = head_->deaths.load(std::memory_order_relaxed);
    obituary()[n].store(number(rank), std::memory_order_relaxed);
    head_->deaths.store(n + 1, std::memory_order_release);
  }

 private:
  static constexpr std::size_t line = 64;
  static constexpr std::size_t rows_at = (sizeof(Head) + line - 1) / line * line;
  static constexpr std::size_t size_for(std::uint32_t capacity) {
    return rows_at + capacity * (sizeof(Row) + sizeof(std::int32_t));
  }
  std::atomic<std::int32_t>* obituary() const {
    return reinterpret_cast<std::atomic<std::int32_t>*>(rows_ + capacity());
  }

  SharedMemory memory_;
  Head* const head_ = reinterpret_cast<Head*>(memory_.data());
  Row* const rows_ = reinterpret_cast<Row*>(memory_.data() + rows_at);
};

}  // namespace earl
