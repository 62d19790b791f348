/// What EXEC and the processes of a job on libfabric tell each other beside it: where each is
/// reached, who has ended, whom EXEC has written to. A small piece of memory without a name.
#pragma once

#include <atomic>
#include <cstdint>

#include "backends/myrinet/ofi/native.h"
#include "generic/shared_memory.hpp"
#include "generic/values.hpp"

namespace earl::myrinet::ofi {

struct BoardRow {
  std::atomic<std::uint32_t> known = 0;   ///< its address is there; written by the process
  std::atomic<std::uint32_t> ended = 0;   ///< written by EXEC, as the next
  std::atomic<std::uint32_t> knocks = 0;  ///< how often EXEC has written to its control channel
  std::atomic<std::uint32_t> wanted = 0;  ///< somebody waits for its address; written by anybody
  char address[earl_ofi_longest_address] = {};
};

struct BoardHead {
  std::uint64_t magic = 0;
  std::uint32_t capacity = 0;
  std::uint32_t cpus = 1;                    ///< that the job may use
  std::atomic<std::uint32_t> processes = 0;  ///< how many compete for them
  std::atomic<std::uint32_t> deaths = 0;     ///< entries in the obituary
};

class Board {
 public:
  /// EXEC's. Throws Error when the system has no memory.
  Board(std::uint32_t capacity, std::uint32_t cpus);
  /// A process's: takes the descriptor over. Throws Error when it is something else.
  explicit Board(Descriptor memory);

  int descriptor() const { return memory_.descriptor(); }
  BoardHead& head() { return *head_; }
  bool has(Rank rank) const { return number(rank) >= 0 && index(rank) < head_->capacity; }
  BoardRow& row(Rank rank) { return rows_[index(rank)]; }
  bool has_ended(Rank rank) const {
    return rows_[index(rank)].ended.load(std::memory_order_acquire) != 0;
  }
  /// Who ended as the n-th, n below head().deaths.
  Rank dead(std::uint32_t n) const { return Rank{obituary_[n].load(std::memory_order_relaxed)}; }
  /// Says that `rank` has ended; once.
  void bury(Rank rank);

 private:
  void divide(std::uint32_t capacity);

  SharedMemory memory_;
  BoardHead* head_ = nullptr;
  BoardRow* rows_ = nullptr;
  std::atomic<std::int32_t>* obituary_ = nullptr;
};

}  // namespace earl::myrinet::ofi
