// SPDX-License-Identifier: BSD-3-Clause
/// Child processes of EXEC: their environment, input and output.
#include "exec/launcher/job/local_launcher.hpp"

#include <catch2/catch.hpp>

#include "tests/exec/launcher/job/launch_parts.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

struct LocalLauncherFixture final : LaunchParts {
  /// Runs `script` as a process that was spawned by another one; gives what the user reads.
  std::string run(std::string const& script) {
    auto& child = children.add(roster.add({.front_end = "nx"}));
    child.program = "sh";
    LaunchSpec const spec{.name = "sh",
                          .program = {.path = "/bin/sh", .front_end = {}},
                          .arguments = {"sh", "-c", script},
                          .environment = {"A=1"},
                          .parent = Rank{7}};
    auto const launched = LocalLauncher(launching, null.get()).launch(child, spec);
    REQUIRE(launched.error == 0);
    child.pid = launched.pid;
    while (output.open() != 0) loop.turn();
    while (!(status = wait_status_of(child.pid))) {
    }
    channels.close(child);
    return read_by_user();
  }

  std::optional<int> status;
};

}  // namespace

TEST_CASE("a process gets the job's environment and its rank, and its output is forwarded") {
  LocalLauncherFixture job;
  CHECK(job.run("echo $A $EARL_RANK; read x || exit 3") == "[rank 0 sh] 1 0\n");
  CHECK(job.status == 3 << 8);
}

TEST_CASE("a program that is not there is an error number") {
  LocalLauncherFixture job;
  auto& child = job.children.add(job.roster.add({}));
  LaunchSpec const spec{
      .name = "none", .program = {.path = "/nowhere", .front_end = {}}, .arguments = {"none"}};
  CHECK(LocalLauncher(job.launching, job.null.get()).launch(child, spec).error == ENOENT);
  job.channels.close(child);
}
