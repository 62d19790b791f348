// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/children/quiescence_detector.hpp"

#include <catch2/catch.hpp>

using namespace earl;
using exec::QuiescenceDetector;

namespace {

constexpr Rank a{0};
constexpr Rank b{1};
std::vector<Rank> const both{a, b};

Report waits(std::uint64_t progress) {
  return {.state = Report::State::waiting, .progress = progress};
}
Report moves(std::uint64_t progress) {
  return {.state = Report::State::running, .progress = progress};
}

}  // namespace

TEST_CASE("A job stands still when all wait and none has moved since an earlier round") {
  QuiescenceDetector detector;
  CHECK(detector.begin(both) == a);
  CHECK(detector.answered(a, waits(5)) == b);
  CHECK(!detector.answered(b, waits(7)));
  CHECK(!detector.is_quiescent());  // each has answered for the first time
  CHECK(detector.begin(both) == a);
  CHECK(detector.answered(a, waits(5)) == b);
  CHECK(!detector.is_quiescent());
  CHECK(!detector.answered(b, waits(7)));
  CHECK(detector.is_quiescent());
  REQUIRE(detector.reports().size() == 2);
  CHECK(detector.reports()[1].report.progress == 7);
}

TEST_CASE("A round ends with the first that computes, and the next begins with it") {
  QuiescenceDetector detector;
  CHECK(detector.begin(both) == a);
  CHECK(detector.answered(a, waits(5)) == b);
  CHECK(!detector.answered(b, moves(7)));
  CHECK(!detector.is_quiescent());
  CHECK(!detector.all_wait());
  CHECK(detector.begin(both) == b);
}

TEST_CASE("Two rounds find that all wait, however many have moved before") {
  QuiescenceDetector detector;
  std::vector<Rank> const many{a, b, Rank{2}, Rank{3}};
  auto const round = [&](std::uint64_t progress) {
    auto next = detector.begin(many);
    while (next) next = detector.answered(*next, waits(progress));
  };
  round(1);
  CHECK(detector.all_wait());
  round(2);  // each waits again, but not still
  CHECK(!detector.is_quiescent());
  CHECK(detector.all_wait());
  round(2);
  CHECK(detector.is_quiescent());
  CHECK(!detector.all_wait());
}

TEST_CASE("A process that has not answered moves, and no other is asked") {
  QuiescenceDetector detector;
  CHECK(detector.begin(both) == a);
  CHECK(!detector.begin(both));
  CHECK(!detector.answered(b, waits(1)));  // it was not asked
  CHECK(!detector.begin(both));
  CHECK(detector.answered(a, waits(1)) == b);
}

TEST_CASE("No job is quiescent while a message is under way") {
  QuiescenceDetector detector;
  auto const sender =
      Report{.state = Report::State::waiting, .progress = 5, .sent = 3, .arrived = 1};
  auto receiver = Report{.state = Report::State::waiting, .progress = 7, .sent = 1, .arrived = 2};
  for (int round = 0; round < 3; ++round) {
    CHECK(detector.begin(both) == a);
    CHECK(detector.answered(a, sender) == b);
    CHECK(!detector.answered(b, receiver));
    CHECK(!detector.is_quiescent());
  }
  receiver.arrived = 3;
  CHECK(detector.begin(both) == a);
  CHECK(detector.answered(a, sender) == b);
  CHECK(!detector.answered(b, receiver));
  CHECK(detector.is_quiescent());
}

TEST_CASE("A process that sleeps without an answer is counted by its inspection") {
  QuiescenceDetector detector;
  for (int round = 0; round < 2; ++round) {
    CHECK(detector.begin(both) == a);
    CHECK(detector.awaited() == a);
    CHECK(detector.sleeps(a) == b);
    CHECK(!detector.answered(b, waits(7)));
  }
  CHECK(detector.is_quiescent());
  CHECK(detector.reports()[0].report.state == Report::State::sleeping);
  CHECK(!detector.awaited());
}

TEST_CASE("After a death all processes are asked twice again") {
  QuiescenceDetector detector;
  std::vector<Rank> const one{a};
  CHECK(detector.begin(both) == a);
  detector.disturbed();
  CHECK(detector.begin(one) == a);
  CHECK(!detector.answered(a, waits(5)));
  CHECK(!detector.is_quiescent());
  CHECK(detector.begin(one) == a);
  CHECK(!detector.answered(a, waits(5)));
  CHECK(detector.is_quiescent());
}

TEST_CASE("A process that is notified while a round is under way may go on") {
  QuiescenceDetector detector;
  CHECK(detector.begin(both) == a);
  CHECK(detector.answered(a, waits(5)) == b);
  CHECK(!detector.answered(b, waits(7)));
  CHECK(detector.begin(both) == a);
  CHECK(detector.answered(a, waits(5)) == b);
  detector.notified();
  CHECK(!detector.answered(b, waits(7)));
  CHECK(!detector.is_quiescent());
  // In the next round all have answered after it.
  CHECK(detector.begin(both) == a);
  CHECK(detector.answered(a, waits(5)) == b);
  CHECK(!detector.answered(b, waits(7)));
  CHECK(detector.is_quiescent());
  detector.notified();
  CHECK(!detector.is_quiescent());
}
