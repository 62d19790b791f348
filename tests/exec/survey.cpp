#include "exec/children/survey.hpp"

#include <catch2/catch.hpp>

using namespace earl;
using exec::Survey;

namespace {

constexpr Rank a{0};
constexpr Rank b{1};
std::vector<Rank> const both{a, b};

Report waits(std::uint64_t progress) {
  return {.state = Report::State::waits, .progress = progress};
}
Report moves(std::uint64_t progress) {
  return {.state = Report::State::moves, .progress = progress};
}

}  // namespace

TEST_CASE("A job stands still when all wait and none has moved since an earlier round") {
  Survey survey;
  CHECK(survey.begin(both) == a);
  CHECK(survey.answered(a, waits(5)) == b);
  CHECK(!survey.answered(b, waits(7)));
  CHECK(!survey.stands_still());  // each has answered for the first time
  CHECK(survey.begin(both) == a);
  CHECK(survey.answered(a, waits(5)) == b);
  CHECK(!survey.stands_still());
  CHECK(!survey.answered(b, waits(7)));
  CHECK(survey.stands_still());
  REQUIRE(survey.reports().size() == 2);
  CHECK(survey.reports()[1].report.progress == 7);
}

TEST_CASE("A round ends with the first that moves, and the next begins with it") {
  Survey survey;
  CHECK(survey.begin(both) == a);
  CHECK(survey.answered(a, waits(5)) == b);
  CHECK(!survey.answered(b, moves(7)));
  CHECK(!survey.stands_still());
  CHECK(survey.begin(both) == b);
  CHECK(survey.answered(b, waits(7)) == a);
  CHECK(!survey.answered(a, waits(6)));  // it waits again, but not still
  CHECK(!survey.stands_still());
  CHECK(survey.begin(both) == a);
}

TEST_CASE("Who has not answered moves, and no other is asked") {
  Survey survey;
  CHECK(survey.begin(both) == a);
  CHECK(!survey.begin(both));
  CHECK(!survey.answered(b, waits(1)));  // nobody has asked it
  CHECK(!survey.begin(both));
  CHECK(survey.answered(a, waits(1)) == b);
}

TEST_CASE("Nobody stands still while a message is under way") {
  Survey survey;
  auto const sender = Report{.state = Report::State::waits, .progress = 5, .sent = 3, .arrived = 1};
  auto receiver = Report{.state = Report::State::waits, .progress = 7, .sent = 1, .arrived = 2};
  for (int round = 0; round < 3; ++round) {
    CHECK(survey.begin(both) == a);
    CHECK(survey.answered(a, sender) == b);
    CHECK(!survey.answered(b, receiver));
    CHECK(!survey.stands_still());
  }
  receiver.arrived = 3;
  CHECK(survey.begin(both) == a);
  CHECK(survey.answered(a, sender) == b);
  CHECK(!survey.answered(b, receiver));
  CHECK(survey.stands_still());
}

TEST_CASE("Who sleeps without an answer is taken in for what it is") {
  Survey survey;
  for (int round = 0; round < 2; ++round) {
    CHECK(survey.begin(both) == a);
    CHECK(survey.awaited() == a);
    CHECK(survey.sleeps(a) == b);
    CHECK(!survey.answered(b, waits(7)));
  }
  CHECK(survey.stands_still());
  CHECK(survey.reports()[0].report.state == Report::State::sleeps);
  CHECK(!survey.awaited());
}

TEST_CASE("After a death everybody is asked twice again") {
  Survey survey;
  std::vector<Rank> const one{a};
  CHECK(survey.begin(both) == a);
  survey.disturbed();
  CHECK(survey.begin(one) == a);
  CHECK(!survey.answered(a, waits(5)));
  CHECK(!survey.stands_still());
  CHECK(survey.begin(one) == a);
  CHECK(!survey.answered(a, waits(5)));
  CHECK(survey.stands_still());
}

TEST_CASE("Who is told something while a round is under way may go on") {
  Survey survey;
  CHECK(survey.begin(both) == a);
  CHECK(survey.answered(a, waits(5)) == b);
  CHECK(!survey.answered(b, waits(7)));
  CHECK(survey.begin(both) == a);
  CHECK(survey.answered(a, waits(5)) == b);
  survey.told();
  CHECK(!survey.answered(b, waits(7)));
  CHECK(!survey.stands_still());
  // In the next round all have answered after it.
  CHECK(survey.begin(both) == a);
  CHECK(survey.answered(a, waits(5)) == b);
  CHECK(!survey.answered(b, waits(7)));
  CHECK(survey.stands_still());
  survey.told();
  CHECK(!survey.stands_still());
}
