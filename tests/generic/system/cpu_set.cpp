// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/cpu_set.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <thread>

using namespace earl;

TEST_CASE("the caller's CPUs are those that the system has for it") {
  cpu_set_t all;
  REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
  auto const own = CpuSet::of(0);
  REQUIRE(own);
  CHECK(own->count() == static_cast<std::size_t>(CPU_COUNT(&all)));
  CHECK(CPU_EQUAL(&own->first(), &all));
}

TEST_CASE("CPUs that are added are those of both, and a thread can run on them") {
  auto const all = CpuSet::of(0);
  REQUIRE(all);
  std::size_t pinned = 0;
  std::size_t both = 0;
  std::size_t again = 0;
  // A thread of its own, so that the other tests keep all of theirs.
  std::thread{[&] {
    auto const here = sched_getcpu();
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(here < 0 ? 0 : here), &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) return;
    auto sum = CpuSet::of(0).value();
    pinned = sum.count();
    sum.add(*all);
    both = sum.count();
    if (sum.bind_caller()) again = CpuSet::of(0).value().count();
  }}.join();
  CHECK(pinned == 1);
  CHECK(both == all->count());
  CHECK(again == all->count());
}

TEST_CASE("a process that has ended has no CPUs") {
  pid_t const child = fork();
  REQUIRE(child >= 0);
  if (child == 0) _exit(0);
  REQUIRE(waitpid(child, nullptr, 0) == child);
  bool const known = CpuSet::of(child).has_value();
  int const error = errno;
  CHECK_FALSE(known);
  CHECK(error == ESRCH);
}
