// SPDX-License-Identifier: BSD-3-Clause
#include "backends/shm/arena.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "tests/backends/shm/harness.hpp"

using namespace earl;
using shm::Arena;
using shm::Offset;
using shm::test::bytes_used;

TEST_CASE("blocks of an arena never overlap, nor cross a window while they are mapped") {
  auto segment = shm::Segment::create(4);
  Arena arena{segment};
  std::map<Offset, std::uint64_t> taken;
  for (std::uint64_t i = 0; i < 3'000; ++i) {
    const std::uint64_t size = 1 + (i * i * 7919) % (i % 10 == 0 ? 300'000 : 9'000);
    const Offset at = arena.take(size);
    auto const next = taken.lower_bound(at);
    if (next != taken.end()) REQUIRE(at + size <= next->first);
    if (next != taken.begin()) REQUIRE(std::prev(next)->first + std::prev(next)->second <= at);
    if (size < Arena::large) REQUIRE(at / shm::window == (at + size - 1) / shm::window);
    REQUIRE(at % shm::cache_line == 0);
    if (i % 3 == 0)
      arena.give(at, size);
    else
      taken.emplace(at, size);
  }
}

TEST_CASE("a block that was given back is used again") {
  auto segment = shm::Segment::create(4);
  Arena arena{segment};
  for (const std::uint64_t size : {1ull, 64ull, 65ull, 5'000ull, 200'000ull, 50'000'000ull}) {
    const Offset first = arena.take(size);
    arena.give(first, size);
    CHECK(arena.take(size) == first);
  }
}

TEST_CASE("large blocks give their memory back to the back end") {
  auto segment = shm::Segment::create(4);
  Arena arena{segment};
  const Buffer bytes(32 << 20);
  const Offset at = arena.take(bytes.size());
  segment.write(at, bytes.bytes());
  CHECK(bytes_used(segment) >= bytes.size());
  arena.give(at, bytes.size());
  CHECK(bytes_used(segment) < 1 << 20);
}

TEST_CASE("an unused large job costs next to nothing, and a ring at first one page") {
  auto segment = shm::Segment::create(shm::most_processes);
  CHECK(bytes_used(segment) < 64 << 10);
  Arena arena{segment};
  for (int i = 0; i < 100; ++i) arena.take_ring();
  CHECK(bytes_used(segment) < 100 * shm::page + (64 << 10));
}
