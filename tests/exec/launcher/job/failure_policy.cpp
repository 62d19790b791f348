// SPDX-License-Identifier: BSD-3-Clause
/// Whether the failure of a process ends its job, and what the user reads.
#include "exec/launcher/job/failure_policy.hpp"

#include <catch2/catch.hpp>
#include <csignal>
#include <memory>

#include "tests/exec/launcher/job/job_parts.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

class OtherFails final : public JobInterceptor {
  bool may_fail(Rank rank) override { return rank == Rank{1}; }
};

struct FailurePolicyFixture final : JobParts, FailurePolicy::Client, Shutdown::Client {
  Serving serving() const override { return server; }
  void end_partition_of(Child const& child) override { ended_partition_of = child.rank; }
  void signal_all(int, bool) override {}
  bool has_members() const override { return false; }

  FailurePolicyFixture() {
    add_running();
    add_running();
  }
  /// The first process ends so; gives what the user reads.
  std::string end(int wait_status) {
    auto& child = children.at(Rank{0});
    child.front_end = front_end;
    child.wait_status = wait_status;
    children.set_ended(child);
    failures.judge(child);
    failures.judge(child);
    while (!output.flushed()) loop.turn();
    return errors.text();
  }

  CapturedErrors errors;
  Output output{loop, [](Stream, int) {}};
  Shutdown shutdown{loop, *this};
  JobInterceptors interceptors;
  FailurePolicy failures{{output, children, shutdown, interceptors}, *this};
  Serving server = Serving::job;
  std::string front_end = "nx";
  Rank ended_partition_of = no_rank;
};

}  // namespace

TEST_CASE("a failure ends the job with its exit code, and is reported once") {
  FailurePolicyFixture job;
  CHECK(job.end(SIGSEGV) ==
        "earl: rank 0 (node, nx) was killed by SIGSEGV (Segmentation fault); the other process is "
        "ended\n");
  CHECK(job.shutdown.exit_code() == 128 + SIGSEGV);
}

TEST_CASE("a failure that a debugger holds back counts once no other process is left") {
  FailurePolicyFixture job;
  job.interceptors.add(std::make_unique<OtherFails>());
  CHECK(job.end(SIGSEGV).empty());
  CHECK_FALSE(job.shutdown.begun());
  job.children.set_ended(job.children.at(Rank{1}));
  job.failures.judge(job.children.at(Rank{0}));
  CHECK(job.shutdown.exit_code() == 128 + SIGSEGV);
}

TEST_CASE("an exit code is no failure") {
  FailurePolicyFixture job;
  CHECK(job.end(3 << 8).empty());
  CHECK_FALSE(job.shutdown.begun());
}

TEST_CASE("a PVM job goes on without the task that has failed, and so does a session") {
  FailurePolicyFixture job;
  SECTION("PVM") { job.front_end = "pvm3"; }
  SECTION("session") { job.server = Serving::session; }
  CHECK(job.end(SIGSEGV).ends_with("; the job goes on\n"));
  CHECK_FALSE(job.shutdown.begun());
}

TEST_CASE("a node of a kept cube takes its cube along") {
  FailurePolicyFixture job;
  job.server = Serving::partition;
  CHECK(job.end(SIGSEGV).empty());
  CHECK(job.ended_partition_of == Rank{0});
  CHECK_FALSE(job.shutdown.begun());
}
