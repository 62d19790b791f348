// SPDX-License-Identifier: BSD-3-Clause
/// Rows of ended processes in a job of several hosts: EXEC asks, agents answer.
#include <catch2/catch.hpp>
#include <vector>

#include "exec/launcher/hosts/row_requests.hpp"

using namespace earl;
using namespace earl::exec;

TEST_CASE("a row is free when every agent has freed it") {
  std::vector<Rank> asked;
  RowRequests rows([&](Rank rank) { asked.push_back(rank); });
  CHECK_FALSE(rows.released_by(2, Rank{5}));
  rows.answered(Rank{5});
  CHECK_FALSE(rows.released_by(2, Rank{5}));
  rows.answered(Rank{5});
  CHECK(rows.released_by(2, Rank{5}));
  CHECK(asked == std::vector{Rank{5}});  // once, however often EXEC looks
}

TEST_CASE("agents are asked to hurry once for all rows, and not without any") {
  std::vector<Rank> asked;
  RowRequests rows([&](Rank rank) { asked.push_back(rank); });
  rows.wake_peers_for_release();
  CHECK(asked.empty());
  rows.released_by(1, Rank{5});
  rows.wake_peers_for_release();
  CHECK(asked == std::vector{Rank{5}, no_rank});
}

TEST_CASE("an answer that was not asked for is ignored") {
  RowRequests rows([](Rank) {});
  rows.answered(Rank{5});
  CHECK_FALSE(rows.released_by(1, Rank{5}));
}
