// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/common/peers.hpp"

#include <catch2/catch.hpp>

#include "tests/frontends/table.hpp"

using namespace earl;
using earl::tests::Table;

TEST_CASE("processes of one front end are numbered in the order of their Ranks") {
  const Table table{{{"ring", "bip"}, {"watch", "mpi1draft"}, {"ring", "bip"}, {"other", "bip"}}};
  const Peers peers{table.view(), Rank{2}, "bip"};
  CHECK(peers.size() == 3);
  CHECK(peers.me() == 1);
  CHECK(peers.rank_of(2) == Rank{3});
  CHECK(peers.number_of(Rank{3}) == 2);
}

TEST_CASE("processes of the same program need not have registered their front end") {
  const Table table{{{"ring", "bip"}, {"ring", "", RankState::started}}};
  CHECK(Peers{table.view(), Rank{0}, "bip"}.size() == 2);
}

TEST_CASE("others have numbers above, by their Ranks; numbers beyond are unused") {
  const Table table{{{"watch", "mpi1draft"}, {"ring", "bip"}, {"ring", "bip"}}};
  const Peers peers{table.view(), Rank{1}, "bip"};
  CHECK(peers.number_of(Rank{0}) == 2);
  CHECK(peers.rank_of(2) == Rank{0});
  CHECK_FALSE(peers.holds(2));
  for (int const unknown : {-1, 5, 1'000'000}) CHECK(peers.rank_of(unknown) == no_rank);
}

TEST_CASE("two front ends of one system number their processes together") {
  const Table table{
      {{"old", "mpi"}, {"watch", "bip"}, {"new", "mpi_abi"}, {"later", "", RankState::started}}};
  const FrontEnds both{"mpi", "mpi_abi"};
  CHECK(Peers{table.view(), Rank{0}, both}.size() == 2);
  CHECK(Peers{table.view(), Rank{2}, both}.me() == 1);
  CHECK(Peers{table.view(), Rank{2}, "mpi_abi"}.size() == 1);
}

TEST_CASE("processes of another spawn are none of them") {
  const Table table{{{"a", "bip"},
                     {"a", "bip", RankState::registered, 1},
                     {"a", "bip", RankState::registered, 1}}};
  const Peers peers{table.view(), Rank{2}, "bip"};
  CHECK(peers.size() == 2);
  CHECK(peers.me() == 1);
}

TEST_CASE("the processes of a run of one program are known without a look at their rows") {
  const Table table{
      {{"ring", "bip"}, {"", "", RankState::started}, {"ring", "bip", RankState::registered, 1}},
      2};
  CHECK(Peers{table.view(), Rank{0}, "bip"}.size() == 2);
  CHECK(Peers{table.view(), Rank{0}, "bip"}.number_of(Rank{2}) == 4);
  CHECK(Peers{table.view(), Rank{2}, "bip"}.ranks().front() == Rank{2});
}
