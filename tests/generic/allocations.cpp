// SPDX-License-Identifier: BSD-3-Clause
/// Calls that complete requests allocate nothing once they have had as request_count.
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>

#include "tests/generic/lone_engine.hpp"

using namespace earl;
using namespace earl::test;

namespace {

thread_local std::size_t allocations = 0;

void* counted_or_null(std::size_t size) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}

void* counted(std::size_t size) {
  if (void* const memory = counted_or_null(size)) return memory;
  throw std::bad_alloc{};
}

constexpr std::size_t request_count = 64;

/// Receives, all of them posted again and complete.
struct Complete {
  LoneEngine lone;
  RequestTable& requests = lone.engine.requests();
  std::array<RequestId, request_count> ids{};

  void again() {
    for (std::size_t i = 0; i < request_count; ++i)
      ids[i] = lone.engine.receiver().start_receive(tagged(static_cast<int>(i)), Scatter{});
    for (std::size_t i = request_count; i-- > 0;) lone.arrive(static_cast<int>(i), Bytes{});
  }
};

/// How often `body` allocates the second time.
template <class Body>
std::size_t allocations_of(Complete& on, Body body) {
  on.again();
  body();
  on.again();
  const std::size_t before = allocations;
  body();
  return allocations - before;
}

}  // namespace

// All forms for usual alignment: what one allocates another may release.
void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void* operator new(std::size_t size, std::nothrow_t const&) noexcept {
  return counted_or_null(size);
}
void* operator new[](std::size_t size, std::nothrow_t const&) noexcept {
  return counted_or_null(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::nothrow_t const&) noexcept { std::free(memory); }
void operator delete[](void* memory, std::nothrow_t const&) noexcept { std::free(memory); }

TEST_CASE("completing request_count requests allocates nothing after the first time") {
  Complete on;
  std::array<Completion, request_count> results;
  std::array<Completed, request_count> completed;
  std::size_t done = 0;
  SECTION("the counter counts") {
    // Direct calls: a compiler may leave out a new expression and its delete.
    CHECK(allocations_of(on, [] { ::operator delete(::operator new(1)); }) == 1);
  }
  SECTION("wait_all") {
    CHECK(allocations_of(on, [&] { on.requests.wait_all(on.ids, results); }) == 0);
    CHECK(results[5].envelope.tag == Tag{5});
  }
  SECTION("test_all") {
    CHECK(allocations_of(on, [&] { done += on.requests.test_all(on.ids, results) ? 1U : 0U; }) ==
          0);
    CHECK(done == 2);
  }
  SECTION("wait_some") {
    CHECK(allocations_of(on, [&] { done += on.requests.wait_some(on.ids, completed); }) == 0);
    CHECK(done == 2 * request_count);
    CHECK(completed[5].result.envelope.tag == Tag{5});
  }
  SECTION("test_some") {
    CHECK(allocations_of(on, [&] { done += on.requests.test_some(on.ids, completed); }) == 0);
    CHECK(done == 2 * request_count);
  }
  SECTION("wait_any, in the order of completion") {
    CHECK(allocations_of(on, [&] {
            for (std::size_t left = request_count; left > 0; --left)
              done += on.requests.wait_any(std::span{on.ids}.first(left)).position == left - 1;
          }) == 0);
    CHECK(done == 2 * request_count);
  }
  SECTION("test") {
    CHECK(allocations_of(on, [&] {
            for (RequestId const id : on.ids) done += on.requests.test(id) ? 1U : 0U;
          }) == 0);
    CHECK(done == 2 * request_count);
  }
}
