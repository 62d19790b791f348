// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/children/partial_deadlock_detector.hpp"

#include <catch2/catch.hpp>

using namespace earl;
using exec::PartialDeadlockDetector;
using State = Report::State;

namespace {

std::vector<Rank> const three{Rank{2}, Rank{0}, Rank{1}};

Report waits(std::uint32_t question, std::uint64_t progress) {
  return {.state = State::waiting, .progress = progress, .question = question};
}

std::vector<State> states(PartialDeadlockDetector const& detector) {
  std::vector<State> all;
  for (auto const& one : detector.reports()) all.push_back(one.report.state);
  return all;
}

}  // namespace

TEST_CASE(
    "A process that has reported twice that it waits, without an event in between, waits; all "
    "others move") {
  PartialDeadlockDetector detector;
  auto question = detector.begin(three);
  for (int rank = 0; rank < 3; ++rank) detector.answered(Rank{rank}, waits(question, 5));
  CHECK(states(detector) == std::vector(3, State::running));  // that was once
  question = detector.begin(three);
  detector.answered(Rank{0}, waits(question, 5));
  detector.answered(Rank{1}, waits(question, 6));
  CHECK(states(detector) == std::vector{State::waiting, State::running, State::running});
  CHECK(detector.reports()[0].rank == Rank{0});
}

TEST_CASE("The answer to an earlier question is none") {
  PartialDeadlockDetector detector;
  auto const first = detector.begin(three);
  detector.answered(Rank{0}, waits(first, 5));
  detector.begin(three);
  detector.answered(Rank{0}, waits(first, 5));
  CHECK(states(detector) == std::vector(3, State::running));
}

TEST_CASE("A process that has not answered is not asked again until it has") {
  PartialDeadlockDetector detector;
  auto const first = detector.begin(three);
  CHECK(detector.ask(Rank{0}));
  detector.begin(three);
  CHECK_FALSE(detector.ask(Rank{0}));
  detector.answered(Rank{0}, waits(first, 5));
  CHECK(detector.ask(Rank{0}));
}

TEST_CASE("A process that polls, or runs functions for messages, may act") {
  PartialDeadlockDetector detector;
  for (int round = 0; round < 2; ++round) {
    auto const question = detector.begin(three);
    auto serves = waits(question, 5);
    serves.serves = true;
    detector.answered(Rank{0}, serves);
    detector.answered(Rank{1}, {.state = State::polling, .progress = 5, .question = question});
  }
  CHECK(states(detector) == std::vector(3, State::running));
}

TEST_CASE("A process that EXEC notifies during a round moves") {
  PartialDeadlockDetector detector;
  auto question = detector.begin(three);
  for (int rank = 0; rank < 3; ++rank) detector.answered(Rank{rank}, waits(question, 5));
  detector.notified(Rank{2});  // it answers the next question after that
  question = detector.begin(three);
  detector.answered(Rank{0}, waits(question, 5));
  detector.notified(Rank{0});
  detector.notified(Rank{1});
  detector.answered(Rank{1}, waits(question, 5));  // on its way before the notice
  detector.answered(Rank{2}, waits(question, 5));
  CHECK(states(detector) == std::vector{State::running, State::running, State::waiting});
}

TEST_CASE("All stand still when each has said twice that it waits or polls, and all has arrived") {
  PartialDeadlockDetector detector;
  auto const round = [&](Report const& last, std::uint64_t sent) {
    auto const question = detector.begin(three);
    detector.answered(Rank{0}, waits(question, 5));
    detector.answered(Rank{1},
                      {.state = State::polling, .progress = 7, .sent = sent, .question = question});
    auto other = last;
    other.question = question;
    detector.answered(Rank{2}, other);
  };
  Report const waiter{.state = State::waiting, .progress = 1, .arrived = 3};
  round(waiter, 3);
  CHECK_FALSE(detector.all_still());
  round(waiter, 3);
  REQUIRE(detector.all_still());
  CHECK(detector.all_still()->at(1).report.state == State::polling);
  round(waiter, 4);
  CHECK_FALSE(detector.all_still());  // one packet is under way
  Report const timed{.state = State::running, .progress = 1, .idle = true, .arrived = 3};
  round(timed, 3);
  round(timed, 3);
  CHECK_FALSE(detector.all_still());
  CHECK(detector.all_idle());
  round({.progress = 1, .arrived = 3}, 3);
  CHECK_FALSE(detector.all_idle());
}

TEST_CASE("One that was asked and does not answer may be idle, one that was not asked is not") {
  PartialDeadlockDetector detector;
  std::vector<Rank> const two{Rank{0}, Rank{1}};
  auto const question = detector.begin(two);
  CHECK(detector.ask(Rank{0}));
  detector.answered(Rank{0}, waits(question, 5));
  CHECK_FALSE(detector.all_idle());
  CHECK(detector.ask(Rank{1}));
  REQUIRE(detector.all_idle());
  CHECK(detector.all_idle()->at(1).report.state == State::sleeping);
}
