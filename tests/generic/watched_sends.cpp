// SPDX-License-Identifier: BSD-3-Clause
#include "generic/watched_sends.hpp"

#include <sys/mman.h>

#include <array>
#include <catch2/catch.hpp>

using namespace earl;

namespace {

constexpr RequestId watched{7};

}  // namespace

TEST_CASE("the buffer of a send has altered when a byte differs, wherever it is") {
  std::vector<std::byte> memory(10'000);
  WatchedSends sends;
  sends.add(watched, Gather{Bytes{memory}});
  CHECK(sends.has(watched));
  CHECK_FALSE(sends.take_altered(watched));
  CHECK_FALSE(sends.has(watched));
  for (std::size_t const at : {0U, 4096U, 9'999U}) {
    sends.add(watched, Gather{Bytes{memory}});
    memory[at] = std::byte{1};
    CHECK(sends.take_altered(watched));
  }
}

TEST_CASE("a list of pieces is compared, a pattern is not") {
  std::array<std::byte, 6> memory{};
  std::array const pieces{Bytes{memory}.first(2), Bytes{memory}.last(2)};
  WatchedSends sends;
  sends.add(watched, Gather{std::span<const Bytes>{pieces}});
  memory[2] = std::byte{1};  // of no piece
  CHECK_FALSE(sends.take_altered(watched));
  sends.add(watched, Gather{std::span<const Bytes>{pieces}});
  memory[5] = std::byte{1};
  CHECK(sends.take_altered(watched));
  sends.add(watched, Gather{});
  CHECK_FALSE(sends.take_altered(watched));
}

TEST_CASE("a buffer that is gone has altered") {
  constexpr std::size_t size = 1 << 16;
  void* const memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  WatchedSends sends;
  sends.add(watched, Gather{Bytes{static_cast<std::byte const*>(memory), size}});
  ::munmap(memory, size);
  CHECK(sends.take_altered(watched));
}

TEST_CASE("a send that is not watched any more is compared no more") {
  std::byte one{};
  WatchedSends sends;
  sends.add(watched, Gather{Bytes{&one, 1}});
  sends.remove(watched);
  CHECK_FALSE(sends.has(watched));
}
