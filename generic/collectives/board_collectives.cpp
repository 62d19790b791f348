// SPDX-License-Identifier: BSD-3-Clause
#include "generic/collectives/board_collectives.hpp"

#include <algorithm>
#include <array>

#include "generic/collectives/bracketing.hpp"

namespace earl::on_board {

namespace {

/// The others, the next one first.
template <class Use>
void each_other(GroupBoard const& board, Use use) {
  for (std::size_t distance = 1; distance < board.members(); ++distance)
    use((board.me() + distance) % board.members());
}

/// Longer data of all members are exchanged faster in messages, which are copied once.
constexpr std::size_t most_exchanged = std::size_t{4} << 20;

std::size_t rounded_down(std::size_t size, std::size_t unit) { return size - size % unit; }

using Cell = std::array<std::byte, CollectiveBoard::most_bytes>;

/// Members' parts may differ in length: it is in the first byte.
bool gathers_in_cells(std::size_t longest, std::size_t all) {
  bool const is_short = all <= CollectiveBoard::most_bytes;
  return longest < (is_short ? CollectiveBoard::most_bytes : CollectiveBoard::most_beside_length);
}

template <class Rooms>
void gather_in_cells(GroupBoard& board, BoardMember const& own, Gather const& mine,
                     Rooms const& rooms) {
  Cell cell;
  cell[0] = static_cast<std::byte>(mine.size());
  board.step(own, Bytes{cell}.first(1 + copy(mine, MutableBytes{cell}.subspan(1))));
  each_other(board, [&](std::size_t member) {
    auto const given = board.given(member);
    std::size_t const length = std::to_integer<std::size_t>(given.front());
    if (length != rooms[member].size())
      board.refuse_length(own, member, rooms[member].size(), length);
    copy(given.subspan(1, length), rooms[member]);
  });
}

template <class Rooms>
void gather_in_staging(GroupBoard& board, BoardMember const& own, Staging& staging,
                       Gather const& mine, Rooms const& rooms, std::size_t longest) {
  std::size_t const most = staging.part_bytes();
  for (std::size_t at = 0; at < longest; at += most) {
    if (at < mine.size()) copy(mine, staging.part(board.me()), at);
    std::uint64_t const length = mine.size();
    board.step(own, bytes_of(length));
    each_other(board, [&](std::size_t member) {
      auto const& room = rooms[member];
      std::uint64_t theirs = 0;
      copy(board.given(member), writable_bytes_of(theirs));
      if (theirs != room.size()) board.refuse_length(own, member, room.size(), theirs);
      if (at < room.size())
        copy(staging.part(member).first(std::min(most, room.size() - at)), room, at);
    });
    staging.advance();
  }
}

void exchange_in_cells(GroupBoard& board, BoardMember const& own, EqualParts<Bytes> const& parts,
                       EqualParts<MutableBytes> const& rooms) {
  std::size_t const size = parts.size();
  Cell cell;
  for (std::size_t member = 0; member < board.members(); ++member)
    copy(parts[member], MutableBytes{cell}.subspan(member * size, size));
  board.step(own, Bytes{cell}.first(board.members() * size));
  each_other(board, [&](std::size_t member) {
    copy(board.given(member).subspan(board.me() * size, size), rooms[member]);
  });
}

void exchange_in_staging(GroupBoard& board, BoardMember const& own, Staging& staging,
                         EqualParts<Bytes> const& parts, EqualParts<MutableBytes> const& rooms) {
  std::size_t const size = parts.size();
  constexpr std::size_t line = 64;
  std::size_t const most = rounded_down(staging.part_bytes() / board.members(), line);
  for (std::size_t at = 0; at < size; at += most) {
    std::size_t const piece = std::min(most, size - at);
    each_other(board, [&](std::size_t member) {
      copy(parts[member], staging.part(board.me()).subspan(member * piece, piece), at);
    });
    board.step(own);
    each_other(board, [&](std::size_t member) {
      copy(Bytes{staging.part(member)}.subspan(board.me() * piece, piece), rooms[member], at);
    });
    staging.advance();
  }
}

/// Each of two members combines all.
void combine_for_both(GroupBoard& board, BoardMember const& own, Staging& staging, Bytes mine,
                      MutableBytes result, Combine const& combine) {
  copy(mine, staging.part(board.me()));
  board.step(own);
  Bytes const other = staging.part(1 - board.me()).first(mine.size());
  if (board.me() == 0) {
    if (mine.data() != result.data()) copy(mine, result);
    combine(result, other);
  } else {
    // The own part of the next exchange: nothing of it is there yet.
    MutableBytes const copy_of_mine = staging.next_part(1).first(mine.size());
    copy(mine, copy_of_mine);
    copy(other, result);
    combine(result, copy_of_mine);
  }
  staging.advance();
}

/// Each member combines its share of all members' parts, in place: no other reads that share.
void combine_share(GroupBoard const& board, Staging const& staging, std::size_t length,
                   Combine const& combine, std::size_t unit) {
  std::size_t const n = board.members();
  auto const mine = Share::of(board.me(), n, length, unit);
  if (mine.size == 0) return;
  auto const share = [&](std::size_t member) {
    return staging.part(member).subspan(mine.begin, mine.size);
  };
  in_tree_order(n,
                [&](std::size_t left, std::size_t right) { combine(share(left), share(right)); });
}

void reduce_in_staging(GroupBoard& board, BoardMember const& own, Staging& staging, Bytes mine,
                       MutableBytes result, Combine const& combine, std::size_t unit) {
  constexpr std::size_t worth_a_step = std::size_t{16} << 10;
  if (board.members() == 2 && mine.size() <= worth_a_step)
    return combine_for_both(board, own, staging, mine, result, combine);
  std::size_t const most = rounded_down(staging.part_bytes(), unit);
  for (std::size_t at = 0; at < mine.size(); at += most) {
    std::size_t const size = std::min(most, mine.size() - at);
    copy(mine.subspan(at, size), staging.part(board.me()));
    board.step(own);
    combine_share(board, staging, size, combine, unit);
    board.step(own);
    copy(staging.part(0).first(size), result.subspan(at, size));
    staging.advance();
  }
}

/// `longest`: of the rooms.
template <class Rooms>
bool gather_in_all(GroupBoard& board, BoardMember const& own, Gather const& mine,
                   Rooms const& rooms, std::size_t longest) {
  if (gathers_in_cells(longest, own.length)) {
    gather_in_cells(board, own, mine, rooms);
  } else {
    auto* const staging = board.staging(own);
    if (!staging) return false;
    gather_in_staging(board, own, *staging, mine, rooms, longest);
  }
  board.receive_messages();
  return true;
}

}  // namespace

bool all_gather(GroupBoard& board, CollectiveCall const& call, Tag tag, Gather const& mine,
                std::span<const Scatter> rooms) {
  std::size_t all = 0;
  std::size_t longest = 0;
  for (Scatter const& room : rooms) {
    all += room.size();
    longest = std::max(longest, room.size());
  }
  return gather_in_all(board, board.begin(call, tag, all), mine, rooms, longest);
}

bool all_gather(GroupBoard& board, CollectiveCall const& call, Tag tag, Bytes mine,
                EqualParts<MutableBytes> const& rooms) {
  auto const own = board.begin(call, tag, rooms.size() * board.members());
  return gather_in_all(board, own, mine, rooms, rooms.size());
}

bool all_to_all(GroupBoard& board, CollectiveCall const& call, Tag tag,
                EqualParts<Bytes> const& parts, EqualParts<MutableBytes> const& rooms) {
  std::size_t const all = parts.size() * board.members();
  auto const own = board.begin(call, tag, all);
  if (all <= CollectiveBoard::most_bytes) {
    exchange_in_cells(board, own, parts, rooms);
  } else {
    auto* const staging = all <= most_exchanged ? board.staging(own) : nullptr;
    if (!staging) return false;
    exchange_in_staging(board, own, *staging, parts, rooms);
  }
  board.receive_messages();
  return true;
}

bool all_reduce(GroupBoard& board, CollectiveCall const& call, Tag tag, Bytes mine,
                MutableBytes result, Combine const& combine, std::size_t unit) {
  auto const own = board.begin(call, tag, result.size());
  auto* const staging = board.staging(own);
  if (!staging) return false;
  reduce_in_staging(board, own, *staging, mine, result, combine, unit);
  board.receive_messages();
  return true;
}

bool broadcast(GroupBoard& board, CollectiveCall const& call, Tag tag, MutableBytes data) {
  auto const own = board.begin(call, tag, data.size());
  auto const* const staging = board.staging(own);
  if (!staging) return false;
  for (std::size_t at = 0; at < data.size(); at += Staging::slot_bytes)
    board.broadcast_part(own, call.root, *staging,
                         data.subspan(at, std::min(Staging::slot_bytes, data.size() - at)));
  if (board.me() != call.root) board.receive_messages();
  return true;
}

}  // namespace earl::on_board
