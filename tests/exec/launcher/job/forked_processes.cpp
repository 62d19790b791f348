// SPDX-License-Identifier: BSD-3-Clause
/// Processes that a process of the job has forked become members, others do not.
#include "exec/launcher/job/forked_processes.hpp"

#include <catch2/catch.hpp>

#include "tests/exec/launcher/job/service_parts.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

struct ForkedProcessesFixture final : ServiceParts {
  ForkedProcessesFixture() {
    parent.registered_pid = ::getpid();
    parent.enclosed = std::move(line.exec);
  }
  LoadAnswer adopt(std::int32_t place, pid_t pid) {
    return forked.adopt(
        parent, {.where = {.partition = cube, .place = place, .label = 0}, .unix_pid = pid});
  }

  ChannelPair line;
  Child& parent = add_running();
  std::uint32_t cube = partitions.allocate(parent.rank, {.name = "cube", .places = 2}).partition;
};

}  // namespace

TEST_CASE("a forked child gets a rank, its place, and a welcome on the line it was given") {
  ForkedProcessesFixture job;
  SleepingProcess process;
  auto const answer = job.adopt(1, process.pid());
  REQUIRE(answer.fault == LoadFault::none);
  auto& child = job.children.at(answer.started.ranks.at(0));
  CHECK(child.is_forked());
  CHECK(job.roster.at(child.rank).place == 1);
  auto const message = job.line.received();
  REQUIRE(message);
  CHECK(control::read<control::Welcome>(message->body.bytes()).rank == child.rank);
  job.channels.close(child);
}

TEST_CASE("a process that the caller has not forked is refused") {
  ForkedProcessesFixture job;
  auto const answer = job.adopt(0, ::getppid());
  CHECK(answer.fault == LoadFault::not_started);
  CHECK(answer.started.fault == SpawnFault::foreign);
  CHECK(answer.started.why.find("is no forked child of") != std::string::npos);
  CHECK(job.line.closed());
}

TEST_CASE("a forked child without a line is refused") {
  ForkedProcessesFixture job;
  SleepingProcess process;
  job.parent.enclosed = {};
  CHECK(job.adopt(0, process.pid()).fault == LoadFault::not_started);
}

TEST_CASE("there must be such a place") {
  ForkedProcessesFixture job;
  SleepingProcess process;
  CHECK(job.adopt(2, process.pid()).fault == LoadFault::unknown);
  CHECK(job.adopt(any_place, process.pid()).fault == LoadFault::unknown);
}

TEST_CASE("no child is adopted while the job ends") {
  ForkedProcessesFixture job;
  SleepingProcess process;
  job.shutdown.begin(1, SIGTERM);
  CHECK(job.adopt(0, process.pid()).started.fault == SpawnFault::denied);
}
