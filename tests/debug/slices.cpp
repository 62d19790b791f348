// SPDX-License-Identifier: BSD-3-Clause
/// Where a run's calls stand in traces for other programs.
#include "debug/analyse/slices.hpp"

#include <catch2/catch.hpp>

using namespace earl;
using analyse::none;
using analyse::Place;

namespace {

/// Rank 0 sends at 5 us; rank 1, whose clock is late or which posted early, receives at `receive`,
/// in a call that began at `done`, and sends an answer at `answer`.
analyse::History exchange(Place receive, Place done, Place answer) {
  analyse::History history;
  history.ranks.resize(2);
  history.messages = {{.source = 0, .dest = 1, .matched_by = 0, .at = {.call = 1, .time = 5000}},
                      {.source = 1, .dest = 0, .own = 1, .at = answer}};
  history.ranks[1].receives = {{.at = receive, .done = done, .completion = 0, .message = 0}};
  history.ranks[1].completions = 1;
  history.joins = {{.rank = 1, .receive = 0, .question = none}};
  return history;
}

}  // namespace

TEST_CASE("a receive is over after the send of its message, whatever the clocks say") {
  Place const receive{.call = 1, .time = 1000};
  auto const history = exchange(receive, receive, {.call = 2, .time = 2000});
  analyse::Slices const slices(history, true);
  auto const& sent = slices.of(0).front();
  auto const& own = slices.of(1);
  REQUIRE(own.size() == 2);
  CHECK(sent.begin == 4000);  // the first step is at 0
  CHECK(sent.begin < sent.arrow);
  CHECK(own[0].begin == 0);
  CHECK(own[0].sent == sent.arrow);
  CHECK(own[0].arrow > sent.arrow);
  CHECK(own[0].arrow < own[0].end);
  CHECK(own[1].begin == own[0].end);
}

TEST_CASE("a receive is shown in the call that completed it") {
  Place const post{.call = 1, .time = 1000};
  Place const wait{.call = 3, .time = 4000};
  for (bool const timed : {true, false}) {
    auto const history = exchange(post, wait, {.call = 4, .time = 9000});
    analyse::Slices const slices(history, timed);
    auto const& own = slices.of(1);
    REQUIRE(own.size() == 2);
    CHECK(own[0].at.call == 3);
    CHECK(own[0].step.at.call == 1);
    CHECK(own[0].begin == (timed ? 3000 : 1000));
    CHECK(own[0].end == (timed ? 8000 : 2000));
    CHECK(own[1].begin == own[0].end);
  }
}

TEST_CASE("receives without a time share the place before the next one") {
  auto history = exchange({.call = 3}, {.call = 3}, {.call = 4});
  auto& receives = history.ranks[1].receives;
  receives.push_back({.at = {.call = 1}});
  receives.push_back({.at = {.call = 2}});
  analyse::Slices const slices(history, false);
  auto const& own = slices.of(1);
  REQUIRE(own.size() == 4);
  CHECK(own[0].begin == 0);
  CHECK(own[0].end == 500);
  CHECK(own[1].end == 1000);
  CHECK(own[2].begin == 1000);
  CHECK(own[2].step.message == 0);
}

TEST_CASE("a cancelled receive is no end of the message that another one got") {
  auto history = exchange({.call = 3}, {.call = 3}, {.call = 4});
  history.ranks[1].receives.push_back({.cancelled = true, .at = {.call = 1}, .message = 0});
  analyse::Slices const slices(history, false);
  auto const& own = slices.of(1);
  REQUIRE(own.size() == 3);
  CHECK_FALSE(slices.has_arrow(own[0].step));
  CHECK_FALSE(slices.time_of(own[0].step));
  CHECK(own[0].end == 1000);
  CHECK(slices.has_arrow(own[1].step));
}
