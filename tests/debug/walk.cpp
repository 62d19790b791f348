// SPDX-License-Identifier: BSD-3-Clause
/// The sends and receives of a run in one order.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "debug/analyse/walk.hpp"
#include "tests/debug/did.hpp"

using namespace earl;
using analyse::Did;

namespace {

/// "1s0 0r0": rank 1 sends its message 0, rank 0 receives a message 0.
std::string walk_of(std::vector<Did> const& ranks) {
  auto const history = analyse::history_of(ranks);
  std::string text;
  for (auto const& [rank, step] : analyse::walk_of(history))
    text += fmt::format("{}{}{}{}", text.empty() ? "" : " ", rank,
                        step.receive == analyse::none ? 's' : 'r',
                        history.messages[step.message].sequence);
  return text;
}

}  // namespace

TEST_CASE("a send comes before the receive of its message, and each rank's steps in its order") {
  CHECK(walk_of({Did{}.receive(-1, 1, 1, 0).receive(-1, 1, 1, 1), Did{}.send(0, 1).send(0, 1)}) ==
        "1s0 0r0 1s1 0r1");
  CHECK(walk_of({Did{}.send(1, 1).receive(1, 1, 1, 0), Did{}.receive(0, 1, 0, 0).send(0, 1)}) ==
        "0s0 1r0 1s0 0r0");
}

TEST_CASE("messages that were never received are sent all the same") {
  CHECK(walk_of({Did{}.receive(-1, 2, 1, 1), Did{}.send(0, 1).send(0, 2)}) == "1s0 1s1 0r1");
}

TEST_CASE("a posted receive is there when the program has its message") {
  CHECK(walk_of({Did{}.post(-1, 1).send(1, 2).matched(0, 1, 0).wait(0),
                 Did{}.receive(0, 2, 0, 0).send(0, 1)}) == "0s0 1r0 1s0 0r0");
}

TEST_CASE("a walk goes forward and back") {
  analyse::Walk walk(analyse::history_of({Did{}.call().receive(-1, 1, 1, 0).call().send(1, 2),
                                          Did{}.call().send(0, 1).call().receive(0, 2, 0, 0)}));
  REQUIRE(walk.size() == 4);
  CHECK(walk.queues().empty());
  walk.go_to(1);
  CHECK(walk.queues().size() == 1);
  CHECK(walk.event_of(0) == 1);
  REQUIRE(walk.pass_next_of(0));
  CHECK(walk.done() == 2);
  CHECK(walk.queues().empty());
  REQUIRE(walk.go_before(1, 2));
  CHECK(walk.done() == 3);
  CHECK(walk.queues().size() == 1);
  CHECK_FALSE(walk.go_before(1, 3));
  walk.go_to(0);
  CHECK(walk.last().empty());
  walk.go_to(9);
  CHECK(walk.done() == 4);
  CHECK_FALSE(walk.pass_next_of(0));
  CHECK(walk.where().size() == 2);
}
