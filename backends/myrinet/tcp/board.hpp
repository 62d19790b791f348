/// What EXEC, or its agent on a host, and the processes there tell each other beside the
/// connections: who listens where, who has ended, whom EXEC has written to, and the job's secret.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "generic/keyed.hpp"
#include "generic/shared_memory.hpp"
#include "generic/values.hpp"

namespace earl::tcp {

struct BoardRow {
  std::atomic<std::uint32_t> known = 0;   ///< its address is there
  std::atomic<std::uint32_t> ended = 0;
  std::atomic<std::uint32_t> knocks = 0;  ///< how often EXEC has written to its control channel
  std::atomic<std::uint32_t> wanted = 0;  ///< somebody waits for its address; written by anybody
  char address[64] = {};
};

struct BoardHead {
  std::uint64_t magic = 0;
  std::uint32_t capacity = 0;
  std::atomic<std::uint32_t> deaths = 0;     ///< entries in the obituary
  std::atomic<std::uint32_t> strangers = 0;  ///< connections that processes have dropped
  Secret secret{};
};

class Board {
 public:
  /// EXEC's. Throws Error when the system has no memory.
  Board(std::uint32_t capacity, Secret const& secret);
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
  /// Throws Error when it is too long to be one.
  void tell_address(Rank rank, std::string_view address);
  /// Empty: nobody has told it yet.
  std::string address(Rank rank);

 private:
  void divide(std::uint32_t capacity);

  SharedMemory memory_;
  BoardHead* head_ = nullptr;
  BoardRow* rows_ = nullptr;
  std::atomic<std::int32_t>* obituary_ = nullptr;
};

}  // namespace earl::tcp
