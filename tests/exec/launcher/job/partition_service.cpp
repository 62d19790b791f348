// SPDX-License-Identifier: BSD-3-Clause
/// Loading processes into partitions, and ending them there.
#include "exec/launcher/job/partition_service.hpp"

#include <catch2/catch.hpp>

#include "tests/exec/launcher/job/service_parts.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

struct PartitionServiceFixture final : ServiceParts {
  PartitionServiceFixture() { host.registered_pid = ::getpid(); }
  LoadAnswer load(std::int32_t place, std::int32_t label, bool held = false) {
    return loading.load(host, {.what = {.program = script.path()},
                               .where = {.partition = cube, .place = place, .label = label},
                               .held = held});
  }

  SleepingScript script;
  Child& host = add_running();
  std::uint32_t cube = partitions.allocate(host.rank, {.name = "cube", .places = 2}).partition;
};

}  // namespace

TEST_CASE("a load starts one process on each place, whose row says where it is") {
  PartitionServiceFixture job;
  auto const answer = job.load(any_place, 3);
  REQUIRE(answer.fault == LoadFault::none);
  REQUIRE(answer.started.ranks.size() == 2);
  auto const& row = job.roster.at(answer.started.ranks[1]);
  CHECK(row.partition == job.cube);
  CHECK(row.place == 1);
  CHECK(row.label == 3);
  CHECK(job.children.at(answer.started.ranks[0]).alive());
  CHECK(job.loading.taken({.partition = job.cube, .place = 0, .label = 3}));
  CHECK_FALSE(job.loading.taken({.partition = job.cube, .place = 0, .label = 4}));
}

TEST_CASE("a place takes one process of a label, and another once that is to be killed") {
  PartitionServiceFixture job;
  CHECK(job.load(0, 3).fault == LoadFault::none);
  CHECK(job.load(0, 3).fault == LoadFault::in_use);
  CHECK(job.load(0, 4).fault == LoadFault::none);
  CHECK(job.loading.end_processes({.partition = job.cube, .place = 0, .label = 3}).count == 1);
  CHECK(job.load(0, 3).fault == LoadFault::none);
}

TEST_CASE("there are no such places and labels") {
  PartitionServiceFixture job;
  CHECK(job.load(2, 0).fault == LoadFault::unknown);
  CHECK(job.load(0, -1).fault == LoadFault::unknown);
  job.loading.release(job.cube);
  CHECK(job.load(0, 0).fault == LoadFault::unknown);
}

TEST_CASE("a held process starts when it is released, and never when it is ended before") {
  PartitionServiceFixture job;
  auto const first = job.load(0, 0, true).started.ranks.at(0);
  auto const second = job.load(1, 0, true).started.ranks.at(0);
  CHECK_FALSE(job.children.at(first).alive());
  CHECK(job.load(0, 0).fault == LoadFault::in_use);
  CHECK(job.loading.end_processes({.partition = job.cube, .place = 1}).count == 0);
  CHECK(job.roster.state(second) == RankState::ended);
  CHECK(job.loading.unhold({.partition = job.cube}).count == 1);
  CHECK(job.children.at(first).alive());
}

TEST_CASE("a reserved rank is the one of the process that is loaded later") {
  PartitionServiceFixture job;
  auto const reserved = job.loading.reserve({.partition = job.cube, .place = 1, .label = 0}).ranks;
  REQUIRE(reserved.size() == 1);
  CHECK(job.load(1, 0).started.ranks == reserved);
}

TEST_CASE("a program that cannot be started is reported with its reason") {
  PartitionServiceFixture job;
  auto const answer =
      job.loading.load(job.host, {.what = {.program = "no-such-program"},
                                  .where = {.partition = job.cube, .place = 0, .label = 0}});
  CHECK(answer.fault == LoadFault::not_started);
  CHECK(answer.started.fault == SpawnFault::not_found);
}
