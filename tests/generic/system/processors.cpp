// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/processors.hpp"

#include <sched.h>

#include <catch2/catch.hpp>
#include <thread>

using namespace earl;

TEST_CASE("there are as many processors as the caller may run on, at most") {
  cpu_set_t all;
  REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
  CHECK(usable_processors() >= 1);
  CHECK(usable_processors() <= static_cast<std::uint32_t>(CPU_COUNT(&all)));
}

TEST_CASE("a process that is pinned to one CPU has one") {
  std::uint32_t found = 0;
  // A thread of its own, so that the other tests keep all of theirs.
  std::thread{[&] {
    auto const here = sched_getcpu();
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(here < 0 ? 0 : here), &one);
    if (sched_setaffinity(0, sizeof one, &one) == 0) found = usable_processors();
  }}.join();
  CHECK(found == 1);
}
