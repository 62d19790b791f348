/// What EXEC and the processes of a job on PVM tell each other beside PVM: who is which task, who
/// has ended, whom EXEC has written to. A small piece of shared memory without a name.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "generic/shared_memory.hpp"
#include "generic/values.hpp"

namespace earl::pvm_machine {

/// A job's processes all stand in one daemon's select(), with some descriptors of its own.
inline constexpr std::uint32_t most_processes = 1000;

enum class Life : std::uint32_t { unborn, living, ended };

struct BoardRow {
  std::atomic<std::int32_t> tid = 0;      ///< 0: not enrolled yet; written by the process
  std::atomic<std::uint32_t> life = 0;    ///< a Life; written by EXEC, as the rest
  std::atomic<std::uint32_t> knocks = 0;  ///< how often EXEC has written to its control channel
  std::atomic<std::uint32_t> wanted = 0;  ///< somebody waits for its task id; written by anybody
  std::atomic<std::uint32_t> frames = 0;  ///< sent to it, or about to be; written by the senders
};

struct BoardHead {
  std::uint64_t magic = 0;
  std::uint32_t capacity = 0;
  std::int32_t context = 0;               ///< PVM's, so that nobody else's messages come here
  char socket[108] = {};                  ///< the daemon's
  std::atomic<std::uint32_t> deaths = 0;  ///< entries in the obituary
};

class Board {
 public:
  /// EXEC's. Throws Error when the system has no memory.
  Board(std::uint32_t capacity, std::string const& socket);
  /// A process's: takes the descriptor over. Throws Error when it is something else.
  explicit Board(Descriptor memory);

  int descriptor() const { return memory_.descriptor(); }
  std::uint32_t capacity() const { return head_->capacity; }
  BoardHead& head() { return *head_; }
  bool has(Rank rank) const { return number(rank) >= 0 && index(rank) < capacity(); }
  BoardRow& row(Rank rank) { return rows_[index(rank)]; }
  bool has_ended(Rank rank) const {
    return rows_[index(rank)].life.load(std::memory_order_acquire) ==
           static_cast<std::uint32_t>(Life::ended);
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

}  // namespace earl::pvm_machine
