// SPDX-License-Identifier: BSD-3-Clause
/// A process's place in a job, by its environment.
#include "exec/launcher/resources/local_jobs.hpp"

#include <catch2/catch.hpp>

using namespace earl::exec;

TEST_CASE("a rank bears its job's mark and its number") {
  auto const place = place_in_job({"HOME=/", "EARL_CONTROL=3", "EARL_RANK=12", "EARL_JOB=abc"});
  REQUIRE(place);
  CHECK(place->mark == "abc");
  CHECK(place->rank == 12U);
}

TEST_CASE("of jobs within jobs the innermost counts") {
  CHECK(place_in_job({"EARL_CONTROL=3", "EARL_JOB=outer,inner"})->mark == "inner");
}

TEST_CASE("a process with all ranks has no number") {
  CHECK_FALSE(place_in_job({"EARL_CONTROL=3", "EARL_JOB=abc"})->rank);
  CHECK_FALSE(place_in_job({"EARL_CONTROL=3", "EARL_JOB=abc", "EARL_RANK=x"})->rank);
}

TEST_CASE("other processes belong to no job") {
  CHECK_FALSE(place_in_job({}));
  CHECK_FALSE(place_in_job({"EARL_JOB=abc"}));
  CHECK_FALSE(place_in_job({"EARL_CONTROL=3", "EARL_RANK=1"}));
  CHECK_FALSE(place_in_job({"EARL_CONTROL=3", "EARL_JOB="}));
  CHECK_FALSE(place_in_job({"EARL_CONTROL"}));
}
