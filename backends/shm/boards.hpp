// SPDX-License-Identifier: BSD-3-Clause
/// The job's boards. A key has one place, which its members take when the first of them asks and
/// leave when the last has left. Another key that is refused the place closes it for good, so that
/// all members of that one get the same answer.
#pragma once

#include <utility>

#include "backends/shm/segment.hpp"
#include "generic/seams/boards.hpp"
#include "generic/system/fences.hpp"
#include "generic/system/waiting.hpp"

namespace earl::shm {

/// Null: there is none for that key. Throws Error (no_memory).
std::byte* find_board(Segment& segment, std::uint64_t key);
/// A member leaves the board that it has found.
void leave_board(Segment& segment, std::uint64_t key, std::size_t members);

/// A port's part that has to do with boards. What it refers to is not used while it is made.
class ShmBoards : public Boards {
 public:
  ShmBoards(Segment& segment, Fences& fences, Waiter& waiter, Rank me)
      : segment_(segment), fences_(fences), waiter_(waiter), me_(me) {}

  std::byte* board(std::uint64_t key, std::span<const Rank> members) override;
  void leave_board(std::uint64_t key, std::size_t members) override;
  Awaited await_word(Awaited const& word) override { return std::exchange(awaited_, word); }
  void fence() override { fences_.own(); }
  void wake_members(std::span<const Rank> members) override;
  void board_damaged() override;

 protected:
  ~ShmBoards() = default;
  Awaited const& awaited() const { return awaited_; }

 private:
  Segment& segment_;
  Fences& fences_;
  Waiter& waiter_;
  Rank const me_;
  Awaited awaited_{};
};

}  // namespace earl::shm
