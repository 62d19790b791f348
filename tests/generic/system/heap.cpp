// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/heap.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

using namespace earl;

namespace {

/// A block, and the byte that all of it must hold.
struct Filled {
  std::byte* block;
  std::size_t size;
  int with;
};

Filled filled(std::size_t size, std::size_t alignment, int with) {
  auto* const block = static_cast<std::byte*>(heap::allocate(size, alignment));
  REQUIRE(block != nullptr);
  REQUIRE(reinterpret_cast<std::uintptr_t>(block) % alignment == 0);
  REQUIRE(heap::owns(block));
  REQUIRE(heap::usable_size(block) >= size);
  std::memset(block, with, size);
  return {block, size, with};
}

bool whole(Filled const& one) {
  for (std::size_t i = 0; i < one.size; ++i)
    if (one.block[i] != std::byte(one.with)) return false;
  return true;
}

/// Blocks of all sizes and alignments, some freed between; none may overlap another.
bool many(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Filled> held;
  bool all_whole = true;
  for (int i = 0; i < 4000; ++i) {
    auto const size = random() % (1U << (random() % 18));
    auto const alignment = heap::usual_alignment << (random() % 10 == 0 ? random() % 9 : 0);
    held.push_back(filled(size, alignment, static_cast<int>(random() % 256)));
    if (random() % 3 == 0) continue;
    auto const at = random() % held.size();
    std::swap(held[at], held.back());
    all_whole = all_whole && whole(held.back());
    heap::release(held.back().block);
    held.pop_back();
  }
  for (auto const& one : held) {
    all_whole = all_whole && whole(one);
    heap::release(one.block);
  }
  return all_whole;
}

std::size_t resident_pages(void const* from, std::size_t size) {
  constexpr std::uintptr_t page = 4096;
  auto const start = (reinterpret_cast<std::uintptr_t>(from) + page) & ~(page - 1);
  std::vector<unsigned char> pages(size / page - 1);
  REQUIRE(::mincore(reinterpret_cast<void*>(start), pages.size() * page, pages.data()) == 0);
  std::size_t count = 0;
  for (auto const one : pages) count += one & 1U;
  return count;
}

}  // namespace

TEST_CASE("blocks of any size and alignment do not overlap") { CHECK(many(1)); }

TEST_CASE("several threads may allocate at once") {
  bool good[4] = {};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i) threads.emplace_back([&good, i] { good[i] = many(i); });
  for (auto& thread : threads) thread.join();
  for (bool const one : good) CHECK(one);
}

TEST_CASE("a freed block is used again") {
  void* const first = heap::allocate(100);
  heap::release(first);
  void* const second = heap::allocate(110);
  CHECK(first == second);
  heap::release(second);
}

TEST_CASE("the heap knows its blocks from the program's") {
  int local = 0;
  void* const theirs = heap::program_malloc(100);
  CHECK_FALSE(heap::owns(theirs));
  CHECK_FALSE(heap::owns(&local));
  CHECK_FALSE(heap::owns(nullptr));
  void* const longer = heap::program_realloc(theirs, 100'000);
  REQUIRE(longer != nullptr);
  CHECK_FALSE(heap::owns(longer));
  std::free(longer);
  heap::program_free(std::malloc(10));
}

TEST_CASE("an impossible request gives null") {
  CHECK(heap::allocate(SIZE_MAX) == nullptr);
  CHECK(heap::allocate(std::size_t{1} << 46) == nullptr);
  CHECK(heap::allocate(10, 48) == nullptr);
  CHECK(heap::allocate(SIZE_MAX - 100, 4096) == nullptr);
}

TEST_CASE("large free blocks lose their pages when there are many") {
  constexpr std::size_t size = 8 << 20;
  std::vector<void*> blocks;
  for (int i = 0; i < 8; ++i) blocks.push_back(filled(size, 16, 1).block);
  for (auto* const block : blocks) heap::release(block);
  std::size_t resident = 0;
  for (auto const* const block : blocks) resident += resident_pages(block, size) * 4096;
  CHECK(resident <= (32U << 20));
  // One of them is used again, whether it has its pages or not.
  for (auto& block : blocks) block = filled(size, 16, 2).block;
  for (auto* const block : blocks) heap::release(block);
}

TEST_CASE("the heap knows how much of it is in use") {
  auto const before = heap::usage();
  std::vector<void*> blocks;
  for (auto const size : {1UL, 100UL, 5'000UL, 20'000UL, 3'000'000UL})
    blocks.push_back(heap::allocate(size));
  auto const between = heap::usage();
  CHECK(between.in_use >= before.in_use + 3'025'101);
  CHECK(between.in_use <= between.held);
  for (auto* const block : blocks) heap::release(block);
  CHECK(heap::usage().in_use == before.in_use);
  CHECK(heap::usage().held == between.held);
}

TEST_CASE("free memory serves large blocks of any size") {
  constexpr std::size_t size = 8 << 20;
  constexpr int count = 8;
  std::vector<void*> blocks;
  for (int i = 0; i < count; ++i) blocks.push_back(heap::allocate(size));
  auto const held = heap::usage().held;
  for (auto* const block : blocks) heap::release(block);
  for (std::size_t part = size * count / 2; part > size / 64; part /= 2) {
    blocks.clear();
    // The container of them takes some, too.
    for (std::size_t i = 0; i + 1 < size * count / part; ++i)
      blocks.push_back(heap::allocate(part - part / 4));
    for (auto* const block : blocks) heap::release(block);
    CHECK(heap::usage().held == held);
  }
}

// A program that sends messages of all sizes for hours.
TEST_CASE("a queue of blocks of all sizes stops growing") {
  constexpr std::size_t queued = 4 << 20;
  std::mt19937 random(1);
  std::vector<std::pair<void*, std::size_t>> queue;
  std::size_t bytes = 0;
  auto const go_on = [&](int times) {
    for (int i = 0; i < times; ++i) {
      auto const size = 16'000 + random() % 1'000'000;
      queue.emplace_back(heap::allocate(size), size);
      bytes += size;
      while (bytes > queued) {
        auto const at = random() % queue.size();
        std::swap(queue[at], queue.back());
        bytes -= queue.back().second;
        heap::release(queue.back().first);
        queue.pop_back();
      }
    }
    return heap::usage().held;
  };
  auto const begin = heap::usage().held;
  go_on(100'000);
  for (auto const& [block, size] : queue) heap::release(block);
  CHECK(heap::usage().held <= begin + 3 * queued);
}
