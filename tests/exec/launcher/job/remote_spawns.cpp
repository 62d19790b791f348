// SPDX-License-Identifier: BSD-3-Clause
/// Spawns of a job on one host; hosts.py tests jobs of several.
#include "exec/launcher/job/remote_spawns.hpp"

#include <catch2/catch.hpp>

#include "tests/exec/launcher/job/launch_parts.hpp"

using namespace earl;
using namespace earl::exec;

TEST_CASE("a spawn of processes on this host is answered at once") {
  LaunchParts job;
  auto const rank = job.add_running().rank;
  job.remote.answer_when_started({.to = Rank{0}, .ticket = 3}, {.ranks = {rank}});
  CHECK(job.context.answered == std::vector{3U});
  CHECK(job.remote.waiting_spawners().empty());
}

TEST_CASE("a spawn of a process on another host waits for its agent") {
  LaunchParts job;
  auto& child = job.add_running();
  child.origin = Origin::remote;
  job.remote.answer_when_started({.to = Rank{0}, .ticket = 3}, {.ranks = {child.rank}});
  CHECK(job.context.answered.empty());
  CHECK(job.remote.waiting_spawners() == std::vector{Rank{0}});
}

TEST_CASE("a job on one host shows one host to its processes") {
  LaunchParts job;
  job.plan.back_end = "shm";
  CHECK(job.remote.list().hosts.size() == 1);
  CHECK(job.remote.back_end_text() == "shm");
  CHECK(job.remote.rejected_connections() == 0);
}
