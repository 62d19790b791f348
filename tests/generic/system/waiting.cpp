// SPDX-License-Identifier: BSD-3-Clause
/// How a wait goes on, given its observations; it reads no clock and does not sleep.
#include "generic/system/waiting.hpp"

#include <sched.h>

#include <catch2/catch.hpp>
#include <limits>
#include <memory>
#include <vector>

#include "generic/system/awake.hpp"
#include "generic/system/wait_decision.hpp"

using namespace earl;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using Step = WaitDecision::Step;

namespace {

/// A wait on a CPU that stays as it is, in which each step takes so long, until it sleeps.
struct Course {
  int looks = 0;
  int yields = 0;
  nanoseconds slept_after{0};
  Step first = Step::sleep;
};

constexpr nanoseconds each_look = microseconds{1};
constexpr nanoseconds each_yield = microseconds{1};

Course course_of(WaitPolicy const& policy, WaitStart const& start, CpuState const& cpu) {
  WaitDecision decision{policy, start};
  Course course;
  for (nanoseconds waited{0}; course.looks + course.yields < 100'000;) {
    auto const step = decision.next(cpu, waited);
    if (course.looks + course.yields == 0) course.first = step;
    course.slept_after = waited;
    if (step == Step::sleep) return course;
    ++(step == Step::poll ? course.looks : course.yields);
    waited += step == Step::poll ? each_look : each_yield;
  }
  return course;
}

/// Two processes' places in one table.
struct Table {
  std::unique_ptr<AwakeTable> table = std::make_unique<AwakeTable>();
  std::vector<std::atomic<std::uint32_t>> words{std::vector<std::atomic<std::uint32_t>>(8)};

  AwakeEntry place(std::size_t n) { return {*table, words[n]}; }
};

constexpr Deadline start_of_time{std::chrono::hours{1}};

}  // namespace

TEST_CASE("a process that is alone on its CPU spins, and now and then looks for one to yield to") {
  auto const course = course_of({}, {}, {.awake = 1});
  CHECK(course.first == Step::poll);
  CHECK(course.slept_after >= WaitPolicy{}.spin);
  CHECK(course.yields >= 3);
  CHECK(course.yields < course.looks / 5);
}

TEST_CASE("a process beside a few of its job never spins in front of them") {
  for (int awake = 2; awake <= 4; ++awake) {
    CAPTURE(awake);
    auto const course = course_of({}, {}, {.awake = awake});
    CHECK(course.looks == 0);
    CHECK(course.yields >= 50);
    CHECK(course.yields < 200);
  }
}

TEST_CASE("a process in a crowd yields once and sleeps, however late that is to be") {
  for (int awake : {5, 8, 64, 1'000}) {
    CAPTURE(awake);
    for (auto const linger : {microseconds{0}, microseconds{200}}) {
      auto const course = course_of({}, {.linger = linger}, {.awake = awake});
      CHECK(course.looks == 0);
      CHECK(course.yields == 1);
    }
  }
}

TEST_CASE("a process beside others sleeps at once where each look is a system call") {
  CHECK(course_of({}, {.system_calls = true}, {.awake = 2}).first == Step::sleep);
  CHECK(course_of({}, {.system_calls = true}, {.awake = 1}).first == Step::poll);
}

TEST_CASE("a process that has woken another gives its CPU away first") {
  CHECK(course_of({}, {.woke = true}, {.awake = 1}).first == Step::yield);
  CHECK(course_of({}, {.woke = true}, {.awake = 3}).first == Step::yield);
  CHECK(course_of({}, {.woke = true}, {.awake = 1, .yield_disabled = true}).first == Step::sleep);
}

TEST_CASE("nothing yields where that costs a time slice") {
  for (int awake : {1, 2, 4, 64}) {
    CAPTURE(awake);
    auto const course =
        course_of({}, {.linger = microseconds{200}}, {.awake = awake, .yield_disabled = true});
    CHECK(course.yields == 0);
    CHECK(course.slept_after <= microseconds{20});
  }
}

TEST_CASE("a sleep that would be short is put off, and so is one while memory is being read") {
  CHECK(course_of({}, {.linger = microseconds{200}}, {.awake = 1}).slept_after >=
        microseconds{200});
  CHECK(course_of({}, {.linger = microseconds{200}}, {.awake = 2}).slept_after >=
        microseconds{200});
  CHECK(course_of({}, {.least = microseconds{500}}, {.awake = 1}).slept_after >= microseconds{500});
}

TEST_CASE("the user's setting is obeyed, with any others awake there") {
  for (int awake : {1, 3, 64}) {
    CAPTURE(awake);
    auto const once = [&](WaitPolicy::Kind kind) {
      return course_of({.kind = kind}, {}, {.awake = awake});
    };
    CHECK(once(WaitPolicy::Kind::block).slept_after == nanoseconds{0});
    CHECK(once(WaitPolicy::Kind::spin).yields == 0);
    CHECK(once(WaitPolicy::Kind::spin).looks == 100'000);
    CHECK(once(WaitPolicy::Kind::yield).looks == 0);
    CHECK(once(WaitPolicy::Kind::yield).yields == 100'000);
  }
  auto const policy = WaitPolicy::from({.spin_us = "7", .yields = "3"}, 2);
  CHECK(course_of(policy, {}, {.awake = 1}).slept_after == microseconds{7});
  CHECK(course_of(policy, {}, {.awake = 64}).yields == 3);
}

TEST_CASE("one slow wake-up does not undo the effect of short sleeps") {
  SleepHistory history;
  CHECK(history.linger() == nanoseconds{0});
  history.woken_after(microseconds{30});
  CHECK(history.linger() == microseconds{200});
  history.woken_after(milliseconds{3});
  CHECK(history.linger() == microseconds{100});
  history.woken_after(microseconds{30});
  CHECK(history.linger() == microseconds{200});
  for (int i = 0; i < 5; ++i) history.not_woken();
  CHECK(history.linger() == nanoseconds{0});
}

TEST_CASE("a sleep is judged by when the bell rang, not by when the sleeper ran") {
  WaitPolicy const policy;
  Waiter waiter{policy};
  auto const nap_until = [](Deadline end) {
    while (Clock::now() < end) ::sched_yield();
  };
  // Rung at once, run a millisecond later, as beside a program that computes.
  bool const woken = waiter.sleep(never, [&] {
    auto const rung = Clock::now() + microseconds{1};
    nap_until(rung + milliseconds{1});
    return rung;
  });
  CHECK(woken);
  CHECK(waiter.linger() == microseconds{200});
  waiter.sleep(never, [&] {
    nap_until(Clock::now() + milliseconds{1});
    return Clock::now();
  });
  CHECK(waiter.linger() == microseconds{100});
}

TEST_CASE("processes are counted where they are awake") {
  Table all;
  auto one = all.place(0);
  auto two = all.place(1);
  CHECK(one.look_at(3, start_of_time).awake == 1);
  CHECK(two.look_at(4, start_of_time).awake == 1);
  CHECK(two.look_at(3, start_of_time).awake == 2);
  CHECK(one.look_at(3, start_of_time).awake == 2);
  CHECK(all.table->at(4).awake == 0);
  two.leave();
  two.leave();
  CHECK(one.look_at(3, start_of_time).awake == 1);
  CHECK(two.look_at(3, start_of_time).awake == 2);
}

TEST_CASE("a process that has ended is awake nowhere") {
  Table all;
  auto one = all.place(0);
  auto two = all.place(1);
  one.look_at(3, start_of_time);
  two.look_at(3, start_of_time);
  all.table->remove(all.words[1]);
  all.table->remove(all.words[1]);
  CHECK(one.look_at(3, start_of_time).awake == 1);
}

TEST_CASE("damaged words of the table mislead, and do no more") {
  Table all;
  auto one = all.place(0);
  one.look_at(3, start_of_time);
  auto& cpu = all.table->at(3);
  cpu.awake = -7;
  cpu.yield_disabled_until = std::numeric_limits<std::int64_t>::max();
  cpu.ban = std::numeric_limits<std::int64_t>::max();
  cpu.slow_yield_score = std::numeric_limits<std::int32_t>::max();
  auto const state = one.look_at(3, start_of_time);
  CHECK(state.awake == 1);
  CHECK_FALSE(state.yield_disabled);
  one.judge_yield(start_of_time, start_of_time + milliseconds{3});
  CHECK(one.look_at(3, start_of_time + milliseconds{4}).yield_disabled);
  CHECK_FALSE(one.look_at(3, start_of_time + milliseconds{504}).yield_disabled);
  all.words[0] = 0xffff'ffff;
  all.table->remove(all.words[0]);
}

TEST_CASE("yields are banned by two long ones, for all, and for longer each time") {
  Table all;
  auto one = all.place(0);
  auto two = all.place(1);
  auto now = start_of_time;
  auto const banned = [&](auto& who) { return who.look_at(3, now).yield_disabled; };
  auto const yield = [&](nanoseconds length) { one.judge_yield(now, now + length); };
  CHECK_FALSE(banned(one));
  yield(milliseconds{3});
  CHECK_FALSE(banned(one));
  // An accident is forgotten.
  for (int i = 0; i < 4; ++i) yield(microseconds{1});
  yield(milliseconds{3});
  CHECK_FALSE(banned(one));
  yield(milliseconds{3});
  CHECK(banned(one));
  CHECK(banned(two));
  CHECK_FALSE(two.look_at(4, now).yield_disabled);
  now += milliseconds{30};
  CHECK_FALSE(banned(one));
  yield(milliseconds{3});
  yield(milliseconds{3});
  now += milliseconds{50};
  CHECK(banned(one));
  now += milliseconds{10};
  CHECK_FALSE(banned(one));
}
