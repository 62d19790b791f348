// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/board_notices.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <vector>

using namespace earl;

namespace {

/// A board of four rows.
struct FourRows {
  static constexpr std::uint32_t rows = 4;
  std::atomic<std::uint32_t> control = 0;
  std::atomic<std::uint32_t> deaths = 0;
  std::array<std::int32_t, rows> ended{};

  void end(std::int32_t rank) {
    ended[deaths.load() % rows] = rank;
    ++deaths;
  }
  Rank dead(std::uint32_t n) const { return Rank{ended[n % rows]}; }
  BoardNotices notices() const { return {control, deaths, rows}; }
};

/// The ranks read; `looked_at_all` says whether the list was too short.
struct EndsRead {
  std::vector<std::int32_t> ranks{};
  bool looked_at_all = false;
};

EndsRead read_ends(FourRows const& board, BoardNotices& notices) {
  EndsRead all;
  notices.read_deaths(
      board, [&](Rank rank) { all.ranks.push_back(number(rank)); },
      [&] { all.looked_at_all = true; });
  return all;
}

}  // namespace

TEST_CASE("a control notice is taken once") {
  FourRows board;
  auto notices = board.notices();
  CHECK_FALSE(notices.pending());
  CHECK_FALSE(notices.take_control_notice());
  board.control += 2;
  CHECK(notices.pending());
  CHECK(notices.take_control_notice());
  CHECK_FALSE(notices.take_control_notice());
  CHECK_FALSE(notices.pending());
}

TEST_CASE("ends of ranks are read in order") {
  FourRows board;
  board.end(7);
  auto notices = board.notices();
  board.end(3);
  CHECK(notices.has_deaths());
  CHECK(notices.pending());
  CHECK(read_ends(board, notices).ranks == (std::vector<std::int32_t>{7, 3}));
  CHECK(notices.deaths_read() == 2U);
  CHECK_FALSE(notices.has_deaths());
  CHECK(read_ends(board, notices).ranks.empty());
}

TEST_CASE("skipped ends are not read") {
  FourRows board;
  auto notices = board.notices();
  board.end(7);
  notices.skip_deaths();
  board.end(3);
  CHECK(read_ends(board, notices).ranks == (std::vector<std::int32_t>{3}));
}

TEST_CASE("where the list of ends has come round all ranks are looked at") {
  FourRows board;
  auto notices = board.notices();
  for (std::int32_t rank = 0; rank < 6; ++rank) board.end(rank);
  auto const all = read_ends(board, notices);
  CHECK(all.looked_at_all);
  CHECK(all.ranks.empty());
  CHECK_FALSE(notices.has_deaths());
}

TEST_CASE("a new process begins with the oldest end in the list") {
  FourRows board;
  for (std::int32_t rank = 0; rank < 6; ++rank) board.end(rank);
  auto notices = board.notices();
  board.end(6);
  CHECK(notices.deaths_read() == 2U);
}
