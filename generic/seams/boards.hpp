// SPDX-License-Identifier: BSD-3-Clause
/// The optional half of a port, where the members of a group share memory: boards, on which short
/// collectives take place without a message.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "generic/seams/port.hpp"

namespace earl {

/// A word that other processes count up, and the number that a process waits for. The numbers may
/// wrap.
struct Awaited {
  std::atomic<std::uint32_t> const* word = nullptr;  ///< null: no process waits
  std::uint32_t target = 0;

  /// True: all that was written before the word was raised is visible.
  bool there() const { return word && reached(word->load(std::memory_order_acquire)); }
  bool reached(std::uint32_t value) const { return static_cast<std::int32_t>(value - target) >= 0; }
};

/// An optional interface of a Port.
class Boards {
 public:
  static constexpr std::size_t most_members = 64;
  /// Bytes of one board; a power of two.
  static constexpr std::size_t size = 16 * 1024;

  /// `size` bytes, aligned to a cache line, that all processes see which ask with the same key: all
  /// zeros at first, but for the first cache line, which is the port's. Null: there is none for
  /// that key, for any process of the job, now or later. This process will be woken at the end of
  /// any of `members`.
  virtual std::byte* board(std::uint64_t key, std::span<const Rank> members) = 0;
  /// This process will neither use its board nor ask for it again. When all `members` have said so
  /// the memory may serve another key.
  virtual void leave_board(std::uint64_t key, std::size_t members) = 0;
  /// wait() ends, too, when this is there; one without a word ends that. The word must stay.
  /// Returns what was awaited until now.
  virtual Awaited await_word(Awaited const& word) = 0;
  /// Between a raised word and a look at one that a process writes before it waits.
  virtual void fence() = 0;
  /// Ends the wait() of each member: the caller has raised a word that they may be awaiting.
  virtual void wake_members(std::span<const Rank> members) = 0;
  /// For words that no Earl process writes. Throws MemoryDamage.
  [[noreturn]] virtual void board_damaged() = 0;

 protected:
  ~Boards() = default;
};

/// Null: that port has none.
inline Boards* boards_of(Port* port) { return dynamic_cast<Boards*>(port); }

}  // namespace earl
