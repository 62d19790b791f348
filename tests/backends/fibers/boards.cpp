// SPDX-License-Identifier: BSD-3-Clause
/// Boards of ranks in a shared process.
#include "backends/fibers/boards.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace earl;
using fibers::BoardTable;

TEST_CASE("all ranks that ask with a key get one board until the last has left") {
  BoardTable table;
  auto* const board = table.board(1);
  CHECK(reinterpret_cast<std::uintptr_t>(board) % 64 == 0);
  CHECK(table.board(1) == board);
  CHECK(table.board(3) != board);
  board[Boards::size - 1] = std::byte{7};
  table.leave(1, 2);
  CHECK(table.board(1)[Boards::size - 1] == std::byte{7});
  table.leave(1, 2);
  auto const* const anew = table.board(1);
  CHECK(std::all_of(anew, anew + Boards::size, [](std::byte b) { return b == std::byte{}; }));
}
