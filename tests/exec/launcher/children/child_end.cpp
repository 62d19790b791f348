// SPDX-License-Identifier: BSD-3-Clause
/// How a process has ended.
#include "exec/launcher/children/child_end.hpp"

#include <catch2/catch.hpp>
#include <csignal>

using namespace earl;
using namespace earl::exec;

namespace {

Child ended(int wait_status) {
  Child child;
  child.rank = Rank{3};
  child.program = "ring";
  child.front_end = "nx";
  child.wait_status = wait_status;
  child.registered_pid = 7;
  return child;
}

}  // namespace

TEST_CASE("a process is called by its rank, program, front end and host") {
  auto child = ended(0);
  CHECK(describe(child) == "rank 3 (ring, nx)");
  child.front_end.clear();
  child.host = "b";
  CHECK(describe(child) == "rank 3 (ring) on host b");
}

TEST_CASE("an exit code is no failure, an unrequested signal is one") {
  CHECK_FALSE(failed(ended(3 << 8)));
  CHECK(exit_code_of(ended(3 << 8)) == 3);
  CHECK(end_text(ended(3 << 8)) == "ended with code 3");
  CHECK(failed(ended(SIGSEGV)));
  CHECK(exit_code_of(ended(SIGSEGV)) == 128 + SIGSEGV);
  CHECK(end_text(ended(SIGSEGV)) == "was killed by SIGSEGV (Segmentation fault)");
}

TEST_CASE("a process that another one has killed has not failed") {
  auto child = ended(SIGKILL);
  child.asked_signals = std::uint64_t{1} << SIGKILL;
  CHECK(killed_on_request(child));
  CHECK_FALSE(failed(child));
}

TEST_CASE("a failure report counts, also of a process that was killed before it had ended") {
  auto child = ended(SIGKILL);
  child.asked_signals = std::uint64_t{1} << SIGKILL;
  child.failure_report = control::FailureReport{.exit_code = 2, .sentence = "no memory"};
  CHECK(failed(child));
  CHECK(exit_code_of(child) == 2);
  CHECK(end_text(child) == "ended with code 2: no memory");
}

TEST_CASE("a replay at the end of its recording has not failed") {
  auto child = ended(85 << 8);
  child.failure_report = control::FailureReport{.exit_code = 85, .sentence = "end of recording"};
  CHECK(ended_as_recorded(child));
  CHECK_FALSE(failed(child));
  child.protocol_failed = true;
  CHECK(failed(child));
}

TEST_CASE("PVM tasks live on after a failure, but not after a verdict of Earl's") {
  auto child = ended(SIGSEGV);
  CHECK_FALSE(job_continues_after(child));
  child.front_end = "pvm3";
  CHECK(job_continues_after(child));
  child.wait_status = 86 << 8;
  child.failure_report = control::FailureReport{.exit_code = 86, .sentence = "deadlock"};
  CHECK_FALSE(job_continues_after(child));
}

TEST_CASE("a guest's end has no exit code") {
  auto child = ended(SIGKILL);
  child.origin = Origin::guest;
  CHECK(end_text(child) == "has ended without leaving the job (by a signal, _exit or exec)");
}

TEST_CASE("a process that ends before its hello has failed, with any code") {
  for (auto const origin : {Origin::started, Origin::remote})
    for (int const code : {0, 127}) {
      auto child = ended(code << 8);
      child.origin = origin;
      CHECK_FALSE(failed(child));
      child.registered_pid = 0;
      CHECK(failed(child));
      CHECK(end_text(child).find("before it reached main") != std::string::npos);
      child.front_end.clear();  // a wrapper may never start its program
      CHECK_FALSE(failed(child));
    }
}
