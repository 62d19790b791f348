// SPDX-License-Identifier: BSD-3-Clause
#include "backends/fibers/boards.hpp"

#include "generic/system/memory_damage.hpp"

namespace earl::fibers {

std::byte* BoardTable::board(std::uint64_t key) {
  auto& board = boards_[key];
  if (!board) board = std::make_unique<Board>();
  return board->bytes.data();
}

void BoardTable::leave(std::uint64_t key, std::size_t members) {
  auto const found = boards_.find(key);
  if (found != boards_.end() && ++found->second->left >= members) boards_.erase(found);
}

std::byte* FiberBoards::board(std::uint64_t key, std::span<const Rank> members) {
  for (Rank const member : members)
    if (member != me_) scheduler_.mailboxes().introduce(mine_, me_, member);
  return table_.board(key);
}

void FiberBoards::wake_members(std::span<const Rank> members) {
  for (Rank const member : members) {
    if (member == me_) continue;
    auto const& box = scheduler_.mailbox(member);
    if (box.owner && box.awaited.there()) scheduler_.make_ready(*box.owner);
  }
}

void FiberBoards::board_damaged() {
  throw MemoryDamage("a board for collectives has a word that no rank writes");
}

}  // namespace earl::fibers
