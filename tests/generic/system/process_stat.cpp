// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/process_stat.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

using namespace earl;

TEST_CASE("a process has a parent and a start, with any name") {
  pid_t const child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_NAME, ") Z 1 (");
    ::pause();
    ::_exit(0);
  }
  CHECK(parent_of(child) == ::getpid());
  CHECK(start_of(child).has_value());
  CHECK_FALSE(start_of(child).value().empty());
  CHECK_FALSE(stat_field(child, 1000).has_value());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  CHECK_FALSE(parent_of(child).has_value());
}

TEST_CASE("numbers of descriptors are below what the system says") {
  int const one = ::dup(0);
  CHECK(end_of_descriptors(::getpid()).value() > one);
  ::close(one);
  CHECK_FALSE(end_of_descriptors(0).has_value());
}
