// SPDX-License-Identifier: BSD-3-Clause
/// The variables in the environment of each process.
#include "exec/launcher/job/process_environment.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "exec/runtime/control.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

bool has(std::vector<std::string> const& environment, std::string const& assignment) {
  return std::ranges::find(environment, assignment) != environment.end();
}

struct ProcessEnvironmentFixture {
  Plan plan;
  Layout layout;
  ProcessEnvironmentFixture() {
    layout.libraries = {"/opt/earl/lib"};
    plan.wrappers = {"/tmp/wrapper.so"};
  }
  ProcessEnvironment environment(bool shared_process) const {
    return ProcessEnvironment({plan, layout, 9, "mark", shared_process});
  }
};

}  // namespace

TEST_CASE("Earl's libraries are found first, and the channel's number is known") {
  ProcessEnvironmentFixture job;
  auto const environment = job.environment(false).of_job({"A=1", "LD_LIBRARY_PATH=/usr/x"});
  CHECK(has(environment, "A=1"));
  CHECK(has(environment, "LD_LIBRARY_PATH=/opt/earl/lib:/usr/x"));
  CHECK(has(environment, std::string(control::variable) + "=9"));
  CHECK(has(environment, "GFORTRAN_UNBUFFERED_PRECONNECTED=1"));
  CHECK(has(environment, "GFORTRAN_ERROR_BACKTRACE=1"));
}

TEST_CASE("the user's own setting for Fortran stays") {
  ProcessEnvironmentFixture job;
  auto const environment = job.environment(false).of_job(
      {"GFORTRAN_UNBUFFERED_PRECONNECTED=0", "GFORTRAN_ERROR_BACKTRACE=0"});
  CHECK(has(environment, "GFORTRAN_UNBUFFERED_PRECONNECTED=0"));
  CHECK(has(environment, "GFORTRAN_ERROR_BACKTRACE=0"));
}

TEST_CASE("wrappers are preloaded before what the user preloads, not in a shared process") {
  ProcessEnvironmentFixture job;
  auto const own = job.environment(false).of_process({"LD_PRELOAD=/tmp/mine.so"}, "/bin/true");
  CHECK(has(own, "LD_PRELOAD=/tmp/wrapper.so:/tmp/mine.so"));
  auto const shared = job.environment(true).of_process({"LD_PRELOAD=/tmp/mine.so"}, "/bin/true");
  CHECK(has(shared, "LD_PRELOAD=/tmp/mine.so"));
}
