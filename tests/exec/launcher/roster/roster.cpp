// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/roster/roster.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <thread>
#include <vector>

using namespace earl;
using namespace earl::exec;

namespace {

IdTable mapped(Roster const& roster) {
  auto const size = job_table_bytes(roster.capacity());
  void* memory = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, roster.descriptor(), 0);
  REQUIRE(memory != MAP_FAILED);
  return IdTable(Bytes{static_cast<std::byte const*>(memory), size});
}

}  // namespace

TEST_CASE("a process sees the rows that EXEC writes, and cannot write them") {
  Roster roster(8);
  auto const table = mapped(roster);
  CHECK(table.count() == 0);
  auto const rank = roster.add({.program = "node", .front_end = "nx", .flags = 3, .label = 4});
  roster.set_initial(1);
  CHECK(rank == Rank{0});
  CHECK(table.initial() == 1);
  CHECK(table.uniform() == 0);
  roster.set_uniform();
  CHECK(table.uniform() == 1);
  CHECK(table.state(rank) == RankState::reserved);
  roster.set_state(rank, RankState::started);
  CHECK(table.state(rank) == RankState::started);
  CHECK(front_end_of(*table.find(rank)) == "nx");
  CHECK(program_of(*table.find(rank)) == "node");
  CHECK(table.find(rank)->flags == 3);
  CHECK(table.find(rank)->label == 4);
  CHECK(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, roster.descriptor(), 0) ==
        MAP_FAILED);
  CHECK(::ftruncate(roster.descriptor(), 0) != 0);
}

TEST_CASE("a row that comes later than a message of its process is waited for") {
  Roster roster(2);
  auto const table = mapped(roster);
  CHECK(table.await(Rank{most_ranks_ever}) == nullptr);  // there never can be such a process
  CHECK(table.await(no_rank) == nullptr);
  IdRow const* row = nullptr;
  std::thread received([&] { row = table.await(Rank{1}); });
  roster.add({});
  roster.add({.host = 3, .visible_host = 4});
  received.join();
  REQUIRE(row != nullptr);
  CHECK(row->host == 3);
  CHECK(row->visible_host == 4);
}

TEST_CASE("a rank that a process of another host may know is waited for") {
  Roster roster(4);
  auto const table = mapped(roster);
  auto const me = roster.add({});
  CHECK_FALSE(table.exists(Rank{2}, me));
  roster.add({.host = 1});
  CHECK(table.exists(Rank{1}, me));
  bool exists = false;
  std::thread sender([&] { exists = table.exists(Rank{2}, me); });
  roster.add({});
  sender.join();
  CHECK(exists);
}

TEST_CASE("places count the processes of one front end") {
  Roster roster(8);
  CHECK(roster.at(roster.add({.front_end = "nx"})).place == 0);
  CHECK(roster.at(roster.add({.front_end = "pvm3"})).place == 0);
  CHECK(roster.at(roster.add({.front_end = "nx"})).place == 1);
  CHECK(roster.at(roster.add({.front_end = "nx"})).place == 2);
}

TEST_CASE("processes behind wrappers are numbered by rank, in any order of their hellos") {
  Roster roster(8);
  for (int i = 0; i < 3; ++i) roster.add({});
  roster.learn_front_end(Rank{2}, "nx");
  roster.learn_front_end(Rank{0}, "nx");
  roster.learn_front_end(Rank{1}, "nx");
  for (int i = 0; i < 3; ++i) CHECK(roster.at(Rank{i}).place == static_cast<std::uint32_t>(i));
  roster.learn_front_end(Rank{1}, "pvm3");
  CHECK(front_end_of(roster.at(Rank{1})) == "nx");
}

TEST_CASE("a wrapper beside processes that are known gets a place of its own") {
  Roster roster(8);
  roster.add({.front_end = "nx"});
  roster.add({});
  roster.learn_front_end(Rank{1}, "nx");
  CHECK(roster.at(Rank{1}).place == 1);
}

TEST_CASE("a roster is full when it is") {
  Roster roster(1);
  CHECK_FALSE(roster.full());
  roster.add({.program = std::string(200, 'x')});
  CHECK(roster.full());
  CHECK(program_of(roster.at(Rank{0})) == std::string(sizeof(IdRow::program) - 1, 'x'));
  CHECK_FALSE(roster.has(Rank{1}));
  CHECK_FALSE(roster.has(Rank{-1}));
}

TEST_CASE("the row of a process of which nothing is left is given to a new rank") {
  Roster roster(2);
  auto const table = mapped(roster);
  auto const first = roster.add({.program = "first"});
  auto const second = roster.add({.program = "second"});
  CHECK(roster.full());
  roster.set_state(second, RankState::ended);
  roster.release(second);
  CHECK(table.state(second) == RankState::ended);
  CHECK(program_of(*table.find(second)) == "second");
  CHECK_FALSE(roster.has(second));
  // The row of rank 2 is in use: it is passed over.
  auto const third = roster.add({.program = "third"});
  CHECK(third == Rank{3});
  CHECK(roster.has(first));
  CHECK(table.find(second) == nullptr);
  CHECK(table.state(second) == RankState::ended);
  CHECK(table.state(Rank{2}) == RankState::ended);
  CHECK(table.state(Rank{4}) == RankState::unused);
  CHECK(program_of(*table.find(third)) == "third");
  CHECK(table.count() == 4);
  CHECK(roster.given() == 3);
  std::vector<Rank> there;
  table.each([&](Rank rank, IdRow const&) { there.push_back(rank); });
  CHECK(there == std::vector<Rank>{first, third});
}

TEST_CASE("a roster has room for the given number, whatever its rows") {
  Roster roster(3);
  CHECK(roster.capacity() == 4);
  for (int n = 0; n < 3; ++n) roster.add({});
  CHECK(roster.full());
  roster.release(Rank{1});
  CHECK(roster.room() == 1);
  CHECK(roster.add({}) == Rank{3});
  roster.release(Rank{0});
  CHECK(roster.add({}) == Rank{4});
}

TEST_CASE("short names distinguish all that live, and come back late") {
  CHECK(short_name_of(Rank{7}) == 7);
  CHECK(short_name_of(id_after(Rank{7}, 1)) == 7 + most_ranks);
  CHECK(short_name_of(Rank{7 + 65'536}) == 7 + most_ranks);
  CHECK(short_name_of(Rank{7 + 262'144}) == 7);
  CHECK(process_of(id_after(Rank{300'000}, 3)) == Rank{300'000});
  CHECK(returns_of(id_after(Rank{300'000}, 3)) == 3);
}

TEST_CASE("a short name means the newest process that has had it") {
  Roster roster(2);
  auto const table = mapped(roster);
  CHECK(table.named(1) == Rank{1});
  CHECK(table.named(1 + most_ranks) == id_after(Rank{1}, 1));
  roster.add({});
  for (int n = 0; n < 65'537; ++n) roster.release(roster.add({}));
  // Odd ranks up to 2 x 65,537; the last of all ones is left out.
  auto const last = roster.add({});
  CHECK(number(last) % 2 == 1);
  CHECK(table.named(short_name_of(last)) == last);
  CHECK(table.named(short_name_of(id_after(last, 2))) == id_after(last, 2));
  CHECK(table.named(9) == Rank{9});
  CHECK(table.named(0) == Rank{0});
  CHECK(table.named(short_name_of(Rank{70'001})) == Rank{70'001});
}

TEST_CASE("a copy on another host follows the processes of a row") {
  Roster roster(2), copy(2);
  std::vector<Roster::Copied> copied;
  roster.watch([&](std::uint32_t at, Bytes bytes) {
    if (auto const row = copy.copy_in(at, bytes)) copied.push_back(*row);
  });
  auto const table = mapped(copy);
  roster.add({});
  auto const old = roster.add({.host = 1, .visible_host = 1});
  roster.set_state(old, RankState::ended);
  REQUIRE(copied.size() == 3);
  CHECK(copied[1].first);
  CHECK_FALSE(copied[2].first);
  roster.release(old);
  auto const young = roster.add({.host = 0, .visible_host = 0});
  CHECK(young == Rank{3});
  CHECK(copied.back().rank == young);
  CHECK(copied.back().first);
  CHECK(copy.has(young));
  CHECK_FALSE(copy.has(old));
  CHECK(table.find(old) == nullptr);
  CHECK(table.state(old) == RankState::ended);
  CHECK(table.visible_host(old) == 1);  // messages of its may still be received
  CHECK(table.visible_host(young) == 0);
}

TEST_CASE("a piece of the table that names another row's rank is refused") {
  Roster copy(2);
  IdRow row;
  row.rank = 1;
  CHECK_THROWS(copy.copy_in(id_rows_at, bytes_of(row)));
}
