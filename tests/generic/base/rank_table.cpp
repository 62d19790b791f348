// SPDX-License-Identifier: BSD-3-Clause
#include "generic/base/rank_table.hpp"

#include <catch2/catch.hpp>

using namespace earl;

namespace {

struct Entry {
  Rank rank = no_rank;
  Entry* next = nullptr;
  int value = 0;
};
using Table = RankTable<Entry, &Entry::rank>;

}  // namespace

TEST_CASE("entries of a rank table are found until they are removed") {
  Table table;
  CHECK(table.find(Rank{0}) == nullptr);
  constexpr int many = 100;
  for (int i = 0; i < many; ++i) table.add(Rank{i}).value = i;
  auto* const kept = table.find(Rank{17});
  for (int i = 0; i < many; i += 2) table.remove(*table.find(Rank{i}));
  CHECK(table.size() == many / 2);
  for (int i = 0; i < many; ++i) CHECK((table.find(Rank{i}) != nullptr) == (i % 2 == 1));
  REQUIRE(table.find(Rank{17}) == kept);
  CHECK(kept->value == 17);
}

TEST_CASE("a rank table does not grow with the ranks, but with its entries") {
  Table table;
  constexpr int places = 64;
  for (int i = 0; i < 1000 * places; ++i) {
    CHECK(table.find(Rank{i}) == nullptr);
    table.find_or_add(Rank{i}).value = i;
    if (i >= places) {
      auto* const old = table.find(Rank{i - places});
      REQUIRE(old != nullptr);
      CHECK(old->value == i - places);
      table.remove(*old);
    }
    CHECK(table.size() <= places);
  }
}
