// SPDX-License-Identifier: BSD-3-Clause
#include "generic/wait_monitor.hpp"

#include <catch2/catch.hpp>

using namespace earl;

namespace {

using State = Report::State;

/// Asks the monitor as EXEC's questions do.
struct Asked {
  Report report{};
  bool stands = false;
};
Asked ask(WaitMonitor& monitor, WaitMonitor::Activity const& activity = {}) {
  Asked asked;
  asked.stands = monitor.judge(asked.report, activity);
  return asked;
}

void fail_polls(WaitMonitor& monitor, int times) {
  for (int i = 0; i < times; ++i) monitor.record_failed_poll(OpKind::try_probe, MatchSpec{});
}

}  // namespace

TEST_CASE("a process that neither waits nor polls moves, and is not idle") {
  WaitMonitor monitor;
  auto const asked = ask(monitor);
  CHECK_FALSE(asked.stands);
  CHECK(asked.report.state == State::running);
  CHECK_FALSE(asked.report.idle);
}

TEST_CASE(
    "a wait without a deadline waits, one with a deadline is idle, and the outer one is kept") {
  WaitMonitor monitor;
  const WaitState outer;
  const WaitState inner;
  {
    const WaitMonitor::Pause waits{monitor, outer, false};
    CHECK(ask(monitor).report.state == State::waiting);
    {
      const WaitMonitor::Pause timed{monitor, inner, true};
      CHECK(monitor.wait_state() == &inner);
      auto const asked = ask(monitor);
      CHECK(asked.stands);
      CHECK(asked.report.state == State::running);
      CHECK(asked.report.idle);
    }
    CHECK(monitor.wait_state() == &outer);
    CHECK(ask(monitor).report.state == State::waiting);
    CHECK_FALSE(ask(monitor, {.moving = true}).stands);
  }
  CHECK(monitor.wait_state() == nullptr);
  CHECK_FALSE(ask(monitor).stands);
}

TEST_CASE("many failed polls and nothing else are polling, some are only idle") {
  WaitMonitor monitor;
  fail_polls(monitor, 9);
  CHECK_FALSE(ask(monitor).stands);
  fail_polls(monitor, 1);
  CHECK(ask(monitor).report.idle);
  fail_polls(monitor, 490);
  auto const asked = ask(monitor);
  CHECK(asked.report.state == State::polling);
  CHECK(asked.report.polls == 500);
  REQUIRE(asked.report.needs.size() == 1);
  CHECK(asked.report.needs.front().kind == OpKind::try_probe);
}

TEST_CASE("polls count since something has happened last") {
  WaitMonitor monitor;
  fail_polls(monitor, 500);
  CHECK(ask(monitor).report.state == State::polling);
  auto const before = ask(monitor, {.events = 1});
  CHECK(before.report.polls == 0);
  fail_polls(monitor, 500);
  CHECK(ask(monitor, {.events = 1}).report.state == State::polling);
  CHECK(ask(monitor, {.events = 1}).report.progress == before.report.progress);
}

TEST_CASE("a clock that is read, or events from outside, may end a polling loop") {
  WaitMonitor monitor;
  ask(monitor, {.events = 1, .clock_reads = 5});
  fail_polls(monitor, 500);
  CHECK(ask(monitor, {.events = 1, .clock_reads = 5}).report.state == State::polling);
  CHECK(ask(monitor, {.events = 1, .clock_reads = 6}).report.idle);
  SECTION("through the API") {
    monitor.record_clock_read();
    CHECK(ask(monitor, {.events = 1, .clock_reads = 5}).report.idle);
  }
  SECTION("from outside") {
    monitor.expect_external_events();
    CHECK(ask(monitor, {.events = 1, .clock_reads = 5}).report.idle);
  }
}
