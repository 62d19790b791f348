// SPDX-License-Identifier: BSD-3-Clause
#include "backends/fibers/ready.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace earl::fibers;

namespace {

std::vector<int> all_of(ReadyQueue<int>& queue) {
  std::vector<int> numbers;
  while (!queue.empty()) numbers.push_back(queue.take(0));
  return numbers;
}

}  // namespace

TEST_CASE("the ranks run in the order they became ready, however many there are") {
  std::vector<int> ranks(300);
  ReadyQueue<int> queue;
  for (int i = 0; i < 300; ++i) ranks[static_cast<std::size_t>(i)] = i;
  // So that the places are used in a circle.
  for (std::size_t i = 0; i < 40; ++i) queue.add(ranks[i]);
  for (int i = 0; i < 40; ++i) CHECK(queue.take(0) == i);
  for (auto& rank : ranks) queue.add(rank);
  CHECK(queue.size() == 300);
  auto const numbers = all_of(queue);
  REQUIRE(numbers.size() == 300);
  for (int i = 0; i < 300; ++i) CHECK(numbers[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("taking or removing one rank leaves the others") {
  std::vector<int> ranks{0, 1, 2, 3, 4};
  ReadyQueue<int> queue;
  for (auto& rank : ranks) queue.add(rank);
  CHECK(queue.take(3) == 3);
  queue.remove(ranks[1]);
  queue.remove(ranks[3]);
  CHECK(all_of(queue) == std::vector{2, 0, 4});
}
