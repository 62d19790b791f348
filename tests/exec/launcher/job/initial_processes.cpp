// SPDX-License-Identifier: BSD-3-Clause
/// Which program of a job is the host of the others.
#include "exec/launcher/job/initial_processes.hpp"

#include <catch2/catch.hpp>

using namespace earl;
using namespace earl::exec;

namespace {

App app(std::uint32_t count, bool counted) {
  App made;
  made.command = {"program"};
  made.count = count;
  made.counted = counted;
  return made;
}

Program linked_as(Side side) {
  Program program;
  program.side = side;
  return program;
}

}  // namespace

TEST_CASE("a single program is a host when the user gives no count") {
  Plan plan;
  plan.apps = {app(1, false)};
  CHECK(host_app(plan, {linked_as(Side::either)}) == 0U);
  plan.apps = {app(4, true)};
  CHECK_FALSE(host_app(plan, {linked_as(Side::either)}));
}

TEST_CASE("of several programs the one that is linked as a host is it, if it has one process") {
  Plan plan;
  plan.apps = {app(4, true), app(1, true)};
  const std::vector programs{linked_as(Side::node), linked_as(Side::host)};
  CHECK(host_app(plan, programs) == 1U);
  plan.apps[1].count = 2;
  CHECK_FALSE(host_app(plan, programs));
}

TEST_CASE("a job that begins with guests has no host program") {
  CHECK_FALSE(host_app(Plan{}, {}));
}
