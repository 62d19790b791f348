// SPDX-License-Identifier: BSD-3-Clause
/// Boards for short collectives of ranks in the shared process, where all see the same memory and
/// one runs at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>

#include "backends/fibers/scheduler.hpp"
#include "generic/seams/boards.hpp"

namespace earl::fibers {

/// The boards of all ranks, by key.
class BoardTable {
 public:
  std::byte* board(std::uint64_t key);
  /// One of its members leaves; with the last of them it goes.
  void leave(std::uint64_t key, std::size_t members);

 private:
  struct alignas(64) Board {
    std::array<std::byte, Boards::size> bytes{};
    std::size_t left = 0;
  };
  std::unordered_map<std::uint64_t, std::unique_ptr<Board>> boards_;
};

/// A port's part that has to do with boards. What it refers to is not used while it is made.
class FiberBoards : public Boards {
 public:
  FiberBoards(Scheduler& scheduler, BoardTable& table, Mailbox& mine, Rank me)
      : scheduler_(scheduler), table_(table), mine_(mine), me_(me) {}

  std::byte* board(std::uint64_t key, std::span<const Rank> members) override;
  void leave_board(std::uint64_t key, std::size_t members) override { table_.leave(key, members); }
  Awaited await_word(Awaited const& word) override { return std::exchange(mine_.awaited, word); }
  void fence() override {}
  /// Makes those ready whose awaited word is there, and no other.
  void wake_members(std::span<const Rank> members) override;
  void board_damaged() override;

 protected:
  ~FiberBoards() = default;

 private:
  Scheduler& scheduler_;
  BoardTable& table_;
  Mailbox& mine_;
  Rank const me_;
};

}  // namespace earl::fibers
