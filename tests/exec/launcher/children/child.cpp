// SPDX-License-Identifier: BSD-3-Clause
/// The phases of a process, and how it came to be of the job.
#include "exec/launcher/children/child.hpp"

#include <catch2/catch.hpp>

using namespace earl;
using namespace earl::exec;

TEST_CASE("a process is alive from its start to its end") {
  Child child;
  CHECK_FALSE(child.alive());
  for (auto const phase : {Phase::running, Phase::left, Phase::lingering}) {
    child.phase = phase;
    CHECK(child.alive());
  }
  child.phase = Phase::ended;
  CHECK_FALSE(child.alive());
}

TEST_CASE("a process has left while its back end keeps it, and not after its end") {
  Child child;
  child.phase = Phase::running;
  CHECK_FALSE(child.left());
  child.phase = Phase::lingering;
  CHECK(child.left());
  child.phase = Phase::ended;
  CHECK_FALSE(child.left());
}

TEST_CASE("a console is a guest, a forked process is none") {
  Child child;
  CHECK_FALSE(child.is_guest());
  child.origin = Origin::console;
  CHECK(child.is_guest());
  CHECK(child.is_console());
  child.origin = Origin::guest;
  CHECK_FALSE(child.is_console());
  child.origin = Origin::forked;
  CHECK_FALSE(child.is_guest());
}
