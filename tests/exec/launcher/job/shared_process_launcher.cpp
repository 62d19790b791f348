// SPDX-License-Identifier: BSD-3-Clause
/// Ranks of a shared process: what may live there, and what follows when it ends.
#include "exec/launcher/job/shared_process_launcher.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "tests/exec/launcher/job/service_parts.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

struct SharedProcessLauncherFixture final : ServiceParts {
  SharedProcessLauncherFixture() {
    plan.back_end = "fibers";
    shared.emplace(launching, SharedProcessLauncher::Parts{loop, children, output, monitor, *this});
  }
};

}  // namespace

TEST_CASE("a script cannot be a rank of a shared process") {
  SharedProcessLauncherFixture job;
  LaunchSpec const spec{.name = "script",
                        .program = {.path = "/bin/script", .front_end = {}},
                        .arguments = {"script"}};
  auto& child = job.rows.allocate(job.starter.row_for(spec, 0));
  try {
    job.shared->launch(child, spec);
    FAIL("it has been launched");
  } catch (Refusal const& refusal) {
    CHECK(refusal.spawn_fault() == SpawnFault::foreign);
    CHECK(std::string{refusal.what()}.find("use --on shm") != std::string::npos);
  }
  CHECK(job.shared->pid() == 0);
}

TEST_CASE("without the earl command there is no shared process, and the rank is refused") {
  SharedProcessLauncherFixture job;
  job.layout.commands = "/nowhere";
  LaunchSpec const spec{
      .name = "node", .program = {.path = "/bin/node", .front_end = "nx"}, .arguments = {"node"}};
  auto& child = job.rows.allocate(job.starter.row_for(spec, 0));
  CHECK(job.shared->launch(child, spec).error == ENOENT);
  CHECK(child.rank_channel == nullptr);
}

TEST_CASE("when the shared process ends, so have all its ranks") {
  SharedProcessLauncherFixture job;
  std::string folder = std::filesystem::temp_directory_path() / "earl-shared-XXXXXX";
  REQUIRE(::mkdtemp(folder.data()));
  std::filesystem::create_symlink("/bin/false", folder + "/earl");
  job.layout.commands = folder;
  LaunchSpec const spec{
      .name = "node", .program = {.path = "/bin/node", .front_end = "nx"}, .arguments = {"node"}};
  auto& first = job.rows.allocate(job.starter.row_for(spec, 0));
  auto& second = job.rows.allocate(job.starter.row_for(spec, 1));
  for (auto* child : {&first, &second}) {
    auto const launched = job.shared->launch(*child, spec);
    CHECK(launched.error == 0);
    CHECK(launched.pid == job.shared->pid());
    job.children.set_running(*child);
  }
  std::filesystem::remove_all(folder);
  CHECK(first.rank_channel == second.rank_channel);
  while (first.alive()) job.shared->check();
  CHECK_FALSE(second.alive());
}
