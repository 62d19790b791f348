// SPDX-License-Identifier: BSD-3-Clause
/// Spawns, signals and questions about processes.
#include "exec/launcher/job/process_service.hpp"

#include <catch2/catch.hpp>

#include "tests/exec/launcher/job/service_parts.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

struct ProcessServiceFixture final : ServiceParts {
  ProcessServiceFixture() { parent.registered_pid = ::getpid(); }
  SleepingScript script;
  Child& parent = add_running();
};

}  // namespace

TEST_CASE("a program that is not found is refused, and takes no rank") {
  ProcessServiceFixture job;
  auto const before = job.roster.count();
  auto const answer = job.processes.spawn(job.parent, {.program = "no-such-program"});
  CHECK(answer.fault == SpawnFault::not_found);
  CHECK(answer.why.find("no-such-program") != std::string::npos);
  CHECK(answer.ranks.empty());
  CHECK(job.roster.count() == before);
}

TEST_CASE("spawned processes have the request's arguments, and one batch") {
  ProcessServiceFixture job;
  auto const spec = job.processes.spec_for(job.parent, {.program = job.script.path(),
                                                        .arguments = {"60"},
                                                        .environment = {"A=1"},
                                                        .folder = "/tmp",
                                                        .count = 3,
                                                        .label = 9});
  CHECK(spec.name == "sleeper");
  CHECK(spec.arguments == std::vector<std::string>{job.script.path(), "60"});
  CHECK(spec.folder == "/tmp");
  CHECK(spec.label == 9);
  CHECK(spec.parent == job.parent.rank);
  CHECK(spec.size == 3);
  CHECK(std::ranges::find(spec.environment, "A=1") != spec.environment.end());
}

TEST_CASE("a spawn starts as many as there is room for, and gives the reason for the others") {
  ProcessServiceFixture job;
  auto const answer = job.processes.spawn(job.parent, {.program = job.script.path(), .count = 20});
  CHECK(answer.ranks.size() == job.roster.most() - 1);
  CHECK(answer.fault == SpawnFault::no_room);
  CHECK(answer.why.find("--max-processes") != std::string::npos);
}

TEST_CASE("all processes of a spawn have their rows before the first is started") {
  ProcessServiceFixture job;
  std::vector<std::uint32_t> ranks_at_starts;
  job.roster.watch([&](std::uint32_t at, Bytes) {
    if (at < id_rows_at) return;
    auto const rank = Rank{static_cast<std::int32_t>((at - id_rows_at) / sizeof(IdRow))};
    if (job.roster.state(rank) == RankState::started) ranks_at_starts.push_back(job.roster.count());
  });
  auto const answer = job.processes.spawn(job.parent, {.program = job.script.path(), .count = 3});
  job.roster.watch({});
  REQUIRE(answer.ranks.size() == 3);
  REQUIRE_FALSE(ranks_at_starts.empty());
  CHECK(ranks_at_starts.front() == job.roster.count());
}

TEST_CASE("no process of a spawn is left without an end when one cannot be started") {
  ProcessServiceFixture job;
  std::ofstream(job.script.path()) << "#!/no/interpreter\n";
  auto const before = job.roster.count();
  auto const answer = job.processes.spawn(job.parent, {.program = job.script.path(), .count = 3});
  CHECK(answer.fault != SpawnFault::none);
  CHECK(answer.ranks.empty());
  for (auto n = before; n < job.roster.count(); ++n)
    CHECK(job.roster.state(Rank{static_cast<std::int32_t>(n)}) == RankState::ended);
}

TEST_CASE("nothing is spawned while the job ends") {
  ProcessServiceFixture job;
  job.shutdown.begin(1, SIGTERM);
  CHECK(job.processes.spawn(job.parent, {.program = job.script.path()}).fault ==
        SpawnFault::denied);
}

TEST_CASE("a process lives for others until its death has been announced") {
  ProcessServiceFixture job;
  CHECK(job.processes.status(job.parent.rank).alive);
  job.parent.death = Announcement::made;
  auto const status = job.processes.status(job.parent.rank);
  CHECK(status.known);
  CHECK_FALSE(status.alive);
  CHECK_FALSE(job.processes.status(Rank{5}).known);
  CHECK_FALSE(job.processes.status(no_rank).known);
}

TEST_CASE("a signal reaches the process, and its end counts as asked for") {
  ProcessServiceFixture job;
  SleepingProcess process;
  auto& child = job.add_running();
  child.rank_channel = nullptr;
  child.origin = Origin::guest;
  child.pid = process.pid();
  CHECK(job.processes.signal({.target = child.rank, .signal = SIGTERM}).alive);
  CHECK(child.asked_signals == std::uint64_t{1} << SIGTERM);
  int status = 0;
  REQUIRE(::waitpid(process.pid(), &status, 0) == process.pid());
  CHECK(WTERMSIG(status) == SIGTERM);
}

TEST_CASE("signal 0 and signals that do not exist only ask") {
  ProcessServiceFixture job;
  CHECK(job.processes.signal({.target = job.parent.rank, .signal = 0}).alive);
  CHECK(job.processes.signal({.target = job.parent.rank, .signal = 999}).alive);
  CHECK(job.parent.asked_signals == 0);
  CHECK_FALSE(job.processes.signal({.target = exec_rank, .signal = SIGTERM}).known);
}
