// SPDX-License-Identifier: BSD-3-Clause
#include "backends/shm/boards.hpp"

#include "backends/shm/door.hpp"

namespace earl::shm {

static_assert(board_bytes == Boards::size);

namespace {

/// Places where a key may have its board, from one that depends on the key.
constexpr std::uint64_t places = 32;

}  // namespace

std::byte* find_board(Segment& segment, std::uint64_t key) {
  for (std::uint64_t i = 0; i < places; ++i) {
    Offset const at = segment.layout().board((key >> 32) + i);
    // Begins the board's memory, which is zeros where none has taken it.
    auto& owner = segment.at<Shared<std::uint64_t>>(at);
    auto seen = owner.load(std::memory_order_acquire);
    if (seen == 0) {
      segment.reserve(at, board_bytes);
      if (owner.compare_exchange_strong(seen, key, std::memory_order_acq_rel)) seen = key;
    }
    if (seen == key) return segment.address(at);
  }
  return nullptr;
}

std::byte* ShmBoards::board(std::uint64_t key, std::span<const Rank> members) {
  auto* const board = find_board(segment_, key);
  if (!board) return nullptr;
  auto const& layout = segment_.layout();
  auto const me = layout.rank_in(layout.slot(me_), 0);
  for (Rank const member : members)
    if (member != me_) RankSet{segment_, layout.interest_set(member)}.add(me);
  return board;
}

void ShmBoards::wake_members(std::span<const Rank> members) {
  fences_.own();  // pairs with that in sleep_at()
  for (Rank const member : members)
    if (member != me_ && wake_if_asleep(segment_.door(member))) [[unlikely]]
      waiter_.woke_another();
}

void ShmBoards::board_damaged() {
  segment_.damaged("a board for collectives has a word that no process writes");
}

}  // namespace earl::shm
