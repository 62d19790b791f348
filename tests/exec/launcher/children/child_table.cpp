// SPDX-License-Identifier: BSD-3-Clause
/// EXEC's records of processes.
#include "exec/launcher/children/child_table.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace earl;
using namespace earl::exec;

TEST_CASE("records are found by rank and by process, in the order of ranks") {
  ChildTable table;
  auto& second = table.add(Rank{2});
  auto& first = table.add(Rank{1});
  first.pid = 100;
  table.add_pid(first);
  CHECK(table.find(Rank{2}) == &second);
  CHECK(table.find(Rank{3}) == nullptr);
  CHECK(table.of_pid(100) == &first);
  CHECK(table.of_pid(101) == nullptr);
  std::vector<Rank> ranks;
  for (auto const& [rank, child] : table.all()) ranks.push_back(child.rank);
  CHECK(ranks == std::vector{Rank{1}, Rank{2}});
}

TEST_CASE("a pid is removed once, and only from the record that has it") {
  ChildTable table;
  auto& old = table.add(Rank{0});
  auto& successor = table.add(Rank{1});
  old.pid = successor.pid = 100;
  table.add_pid(old);
  table.add_pid(successor);
  CHECK_FALSE(table.remove_pid(old));
  CHECK(table.remove_pid(successor));
  CHECK_FALSE(table.remove_pid(successor));
}

TEST_CASE("consoles are alive, and no members of the job") {
  ChildTable table;
  auto& node = table.add(Rank{0});
  auto& console = table.add(Rank{1});
  console.origin = Origin::console;
  table.set_running(node);
  table.set_running(console);
  CHECK(table.alive() == 2);
  CHECK(table.members() == 1);
  table.set_ended(console);
  table.set_ended(node);
  CHECK(table.alive() == 0);
  CHECK(table.members() == 0);
}
