// SPDX-License-Identifier: BSD-3-Clause
/// Where the output of a process goes.
#include "exec/launcher/job/output_routes.hpp"

#include <catch2/catch.hpp>

#include "tests/exec/launcher/job/launch_parts.hpp"

using namespace earl;
using namespace earl::exec;

TEST_CASE("a process that a guest has loaded prints to the guest's descriptors") {
  LaunchParts job;
  Child child;
  CHECK_FALSE(OutputRoutes::is_direct(child));
  CHECK_FALSE(job.routes.has_own_descriptors(child));
  child.outlets = std::make_shared<std::array<Descriptor, 2>>();
  CHECK(OutputRoutes::is_direct(child));
  CHECK(job.routes.has_own_descriptors(child));
  child.subscribed = true;
  CHECK_FALSE(job.routes.has_own_descriptors(child));
}

TEST_CASE("with --output-dir a process has files, unless another process wants its output") {
  LaunchParts job;
  job.plan.output_folder = "/tmp";
  Child child;
  CHECK(job.routes.has_own_descriptors(child));
  child.subscribed = true;
  CHECK_FALSE(job.routes.has_own_descriptors(child));
  auto const pipe = job.routes.open(child, "out");
  CHECK(pipe.read);
  CHECK(pipe.write);
}

TEST_CASE("lines of a spawned rank of the shared process are marked") {
  LaunchParts job;
  auto& child = job.add_running();
  child.writer = writer_of(child.rank);
  job.routes.forward_shared(child,
                            {.name = "node", .program = {}, .arguments = {}, .parent = Rank{7}});
  job.output.print({.rank = child.rank, .stream = 1, .text = "hello\n"});
  CHECK(job.read_by_user() == "[rank 0 node] hello\n");
}
