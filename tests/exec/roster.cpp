#include "exec/job/roster.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <thread>

using namespace earl;
using namespace earl::exec;

namespace {

IdTable mapped(Roster const& roster) {
  auto const size = id_table_bytes(roster.capacity());
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
  CHECK(table.life(rank) == Life::reserved);
  roster.set_life(rank, Life::started);
  CHECK(table.life(rank) == Life::started);
  CHECK(front_end_of(*table.find(rank)) == "nx");
  CHECK(program_of(*table.find(rank)) == "node");
  CHECK(table.find(rank)->flags == 3);
  CHECK(table.find(rank)->label == 4);
  CHECK(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, roster.descriptor(), 0) ==
        MAP_FAILED);
  CHECK(::ftruncate(roster.descriptor(), 0) != 0);
}

TEST_CASE("a row that comes later than its process was heard of is waited for") {
  Roster roster(2);
  auto const table = mapped(roster);
  CHECK(table.await(Rank{2}) == nullptr);  // there never can be such a row
  CHECK(table.await(no_rank) == nullptr);
  IdRow const* row = nullptr;
  std::thread heard([&] { row = table.await(Rank{1}); });
  roster.add({});
  roster.add({.host = 3, .told_host = 4});
  heard.join();
  REQUIRE(row != nullptr);
  CHECK(row->host == 3);
  CHECK(row->told_host == 4);
}

TEST_CASE("places count the processes of one front end") {
  Roster roster(8);
  CHECK(roster.at(roster.add({.front_end = "nx"})).place == 0);
  CHECK(roster.at(roster.add({.front_end = "pvm3"})).place == 0);
  CHECK(roster.at(roster.add({.front_end = "nx"})).place == 1);
  CHECK(roster.at(roster.add({.front_end = "nx"})).place == 2);
}

TEST_CASE("processes behind wrappers are numbered by rank, whoever is first to speak") {
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
