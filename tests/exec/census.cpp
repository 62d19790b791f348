#include "exec/children/census.hpp"

#include <catch2/catch.hpp>

using namespace earl;
using exec::Census;
using State = Report::State;

namespace {

std::vector<Rank> const three{Rank{2}, Rank{0}, Rank{1}};

Report waits(std::uint32_t question, std::uint64_t progress) {
  return {.state = State::waits, .progress = progress, .question = question};
}

std::vector<State> states(Census const& census) {
  std::vector<State> all;
  for (auto const& one : census.reports()) all.push_back(one.report.state);
  return all;
}

}  // namespace

TEST_CASE("Who has said twice that it waits, with nothing in between, waits; all others move") {
  Census census;
  auto question = census.begin(three);
  for (int rank = 0; rank < 3; ++rank) census.answered(Rank{rank}, waits(question, 5));
  CHECK(states(census) == std::vector(3, State::moves));  // that was once
  question = census.begin(three);
  census.answered(Rank{0}, waits(question, 5));
  census.answered(Rank{1}, waits(question, 6));
  CHECK(states(census) == std::vector{State::waits, State::moves, State::moves});
  CHECK(census.reports()[0].rank == Rank{0});
}

TEST_CASE("The answer to an earlier question is none") {
  Census census;
  auto const first = census.begin(three);
  census.answered(Rank{0}, waits(first, 5));
  census.begin(three);
  census.answered(Rank{0}, waits(first, 5));
  CHECK(states(census) == std::vector(3, State::moves));
}

TEST_CASE("Who has not answered is not asked again until it has") {
  Census census;
  auto const first = census.begin(three);
  CHECK(census.ask(Rank{0}));
  census.begin(three);
  CHECK_FALSE(census.ask(Rank{0}));
  census.answered(Rank{0}, waits(first, 5));
  CHECK(census.ask(Rank{0}));
}

TEST_CASE("Who polls, or runs functions for messages, may do something") {
  Census census;
  for (int round = 0; round < 2; ++round) {
    auto const question = census.begin(three);
    auto serves = waits(question, 5);
    serves.serves = true;
    census.answered(Rank{0}, serves);
    census.answered(Rank{1}, {.state = State::polls, .progress = 5, .question = question});
  }
  CHECK(states(census) == std::vector(3, State::moves));
}

TEST_CASE("Who has been told something since it was asked moves") {
  Census census;
  auto question = census.begin(three);
  for (int rank = 0; rank < 3; ++rank) census.answered(Rank{rank}, waits(question, 5));
  census.told(Rank{2});  // it answers the next question after that
  question = census.begin(three);
  census.answered(Rank{0}, waits(question, 5));
  census.told(Rank{0});
  census.told(Rank{1});
  census.answered(Rank{1}, waits(question, 5));  // on its way before it was told
  census.answered(Rank{2}, waits(question, 5));
  CHECK(states(census) == std::vector{State::moves, State::moves, State::waits});
}

TEST_CASE("All stand still when each has said twice that it waits or polls, and all has arrived") {
  Census census;
  auto const round = [&](Report const& last, std::uint64_t sent) {
    auto const question = census.begin(three);
    census.answered(Rank{0}, waits(question, 5));
    census.answered(Rank{1},
                    {.state = State::polls, .progress = 7, .sent = sent, .question = question});
    auto other = last;
    other.question = question;
    census.answered(Rank{2}, other);
  };
  Report const waiter{.state = State::waits, .progress = 1, .arrived = 3};
  round(waiter, 3);
  CHECK_FALSE(census.all_still());
  round(waiter, 3);
  REQUIRE(census.all_still());
  CHECK(census.all_still()->at(1).report.state == State::polls);
  round(waiter, 4);
  CHECK_FALSE(census.all_still());  // one packet is under way
  Report const timed{.state = State::moves, .progress = 1, .idle = true, .arrived = 3};
  round(timed, 3);
  round(timed, 3);
  CHECK_FALSE(census.all_still());
  CHECK(census.all_idle());
  round({.progress = 1, .arrived = 3}, 3);
  CHECK_FALSE(census.all_idle());
}

TEST_CASE("One that was asked and does not answer may be idle, one that was not asked is not") {
  Census census;
  std::vector<Rank> const two{Rank{0}, Rank{1}};
  auto const question = census.begin(two);
  CHECK(census.ask(Rank{0}));
  census.answered(Rank{0}, waits(question, 5));
  CHECK_FALSE(census.all_idle());
  CHECK(census.ask(Rank{1}));
  REQUIRE(census.all_idle());
  CHECK(census.all_idle()->at(1).report.state == State::sleeps);
}
