// SPDX-License-Identifier: BSD-3-Clause
/// Starting processes: their records, and what is left of one that cannot be started.
#include "exec/launcher/job/process_starter.hpp"

#include <catch2/catch.hpp>

#include "tests/exec/launcher/job/service_parts.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

LaunchSpec shell(std::string const& script) {
  return {.name = "sh",
          .program = {.path = "/bin/sh", .front_end = "nx"},
          .arguments = {"sh", "-c", script},
          .flags = 4,
          .label = 5,
          .batch = 6,
          .size = 2};
}

}  // namespace

TEST_CASE("a row says how and where its process starts") {
  ServiceParts job;
  auto const spec = shell(":");
  auto const row = job.starter.row_for(spec, {.host = 1, .visible = 2});
  CHECK(row.program == "sh");
  CHECK(row.front_end == "nx");
  CHECK(row.flags == 4);
  CHECK(row.label == 5);
  CHECK(row.batch == 6);
  CHECK(row.batch_size == 2);
  CHECK(row.host == 1);
  CHECK(row.visible_host == 2);
}

TEST_CASE("a process that starts is a child of EXEC, and in the id table") {
  ServiceParts job;
  auto const spec = shell("exec sleep 60");
  auto& child = job.rows.allocate(job.starter.row_for(spec, 0));
  job.starter.equip(child, spec);
  job.starter.start(child, spec);
  CHECK(child.alive());
  CHECK(child.program == "sh");
  CHECK(::kill(child.pid, 0) == 0);
  CHECK(job.roster.state(child.rank) == RankState::started);
  child.registered_pid = child.pid;
  job.starter.registered(child);
  CHECK(job.roster.state(child.rank) == RankState::registered);
}

TEST_CASE("a process that cannot be started has ended, with the reason for its spawner") {
  ServiceParts job;
  auto spec = shell(":");
  spec.program.path = "/nowhere";
  auto& child = job.rows.allocate(job.starter.row_for(spec, 0));
  try {
    job.starter.start(child, spec);
    FAIL("it has been started");
  } catch (Refusal const& refusal) {
    CHECK(refusal.spawn_fault() == SpawnFault::not_found);
    CHECK(std::string{refusal.what()}.find("/nowhere cannot be started") == 0);
  }
  CHECK_FALSE(child.alive());
  CHECK(child.death == Announcement::made);
  CHECK(job.roster.state(child.rank) == RankState::ended);
}

TEST_CASE("the verbose user reads what has been started as which rank") {
  ServiceParts job;
  job.plan.verbose = true;
  auto const spec = shell("exec sleep 60");
  auto& child = job.rows.allocate(job.starter.row_for(spec, 0));
  job.starter.equip(child, spec);
  job.starter.start(child, spec);
  CHECK(job.read_by_user().find(fmt::format("is /bin/sh, pid {}", child.pid)) != std::string::npos);
}
