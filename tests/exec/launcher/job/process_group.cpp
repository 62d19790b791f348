// SPDX-License-Identifier: BSD-3-Clause
/// A job's process group: its watchdog comes first, and signals reach all of it.
#include "exec/launcher/job/process_group.hpp"

#include <catch2/catch.hpp>

#include "tests/exec/launcher/job/service_parts.hpp"

using namespace earl;
using namespace earl::exec;

TEST_CASE("the cleanup watchdog leads the group") {
  LaunchParts job;
  CHECK(job.group.id() > 0);
  CHECK(job.group.is_helper(job.group.id()));
  CHECK_FALSE(job.group.is_helper(::getpid()));
  CHECK(::getpgid(job.group.id()) == job.group.id());
  CHECK(::getpgrp() != job.group.id());
}

TEST_CASE("a child that is spared is no straggler") {
  LaunchParts job;
  SleepingProcess helper;
  job.group.spare(helper.pid());
  CHECK(job.group.is_helper(helper.pid()));
  job.group.remove_stragglers(job.loop);
  CHECK(::waitpid(helper.pid(), nullptr, WNOHANG) == 0);
}

TEST_CASE("a signal reaches the members of the group, and no other process") {
  LaunchParts job;
  SleepingProcess member;
  SleepingProcess other;
  REQUIRE(::setpgid(member.pid(), job.group.id()) == 0);
  job.group.signal(SIGKILL);
  int status = 0;
  REQUIRE(::waitpid(member.pid(), &status, 0) == member.pid());
  CHECK(WTERMSIG(status) == SIGKILL);
  CHECK(::waitpid(other.pid(), &status, WNOHANG) == 0);
}

TEST_CASE("without a watchdog the first process begins the group") {
  LaunchParts job;
  SleepingProcess first;
  REQUIRE(::setpgid(first.pid(), 0) == 0);
  job.group.signal(SIGKILL);
  job.group.begun_by(first.pid());
  CHECK(job.group.id() == first.pid());
  job.group.signal(SIGKILL);
  CHECK(::waitpid(first.pid(), nullptr, 0) == first.pid());
}
