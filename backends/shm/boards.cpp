// SPDX-License-Identifier: BSD-3-Clause
#include "backends/shm/boards.hpp"

#include "backends/shm/door.hpp"

namespace earl::shm {

static_assert(board_bytes == Boards::size);

namespace {

/// The word of a place is 0, the key of its owner, or `closed`. With this bit the owner has refused
/// the place to another key.
constexpr std::uint64_t refusing = 2;
constexpr std::uint64_t closed = ~std::uint64_t{0};

std::uint64_t owner_of(std::uint64_t key) { return (key | 1) & ~refusing; }
std::uint64_t place_of(std::uint64_t key) { return key >> 32; }

}  // namespace

std::byte* find_board(Segment& segment, std::uint64_t key) {
  Offset const word = segment.layout().board_owner(place_of(key));
  Offset const board = segment.layout().board(place_of(key));
  auto const own = owner_of(key);
  segment.reserve(word, sizeof(std::uint64_t));
  auto& owner = segment.at<Shared<std::uint64_t>>(word);
  auto seen = owner.load(std::memory_order_acquire);
  while (true) {
    if (seen == 0) {
      segment.reserve(board, board_bytes);
      if (owner.compare_exchange_strong(seen, own, std::memory_order_acq_rel)) seen = own;
      continue;
    }
    if (seen == closed) return nullptr;
    if ((seen & ~refusing) == own) return segment.address(board);
    if ((seen & refusing) != 0) return nullptr;
    if (owner.compare_exchange_strong(seen, seen | refusing, std::memory_order_acq_rel))
      return nullptr;
  }
}

void leave_board(Segment& segment, std::uint64_t key, std::size_t members) {
  Offset const board = segment.layout().board(place_of(key));
  auto& left = segment.at<Shared<std::uint32_t>>(board);
  if (left.fetch_add(1, std::memory_order_acq_rel) + 1 < members) return;
  segment.punch(board, board_bytes);
  auto& owner = segment.at<Shared<std::uint64_t>>(segment.layout().board_owner(place_of(key)));
  auto seen = owner_of(key);
  if (!owner.compare_exchange_strong(seen, 0, std::memory_order_acq_rel))
    owner.store(closed, std::memory_order_release);
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

void ShmBoards::leave_board(std::uint64_t key, std::size_t members) {
  shm::leave_board(segment_, key, members);
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
