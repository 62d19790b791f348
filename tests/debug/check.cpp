// SPDX-License-Identifier: BSD-3-Clause
/// Deadlocks that only room for messages prevents, in small runs.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "debug/analyse/hazards.hpp"
#include "tests/debug/did.hpp"

using namespace earl;
using analyse::Did;

namespace {

constexpr auto blocking = Mode::buffered_by_default;

/// "0>1 1>0": ranks that wait for each other; `>` in a send, `<` in a receive, `=` in a collective.
std::string hazard_of(std::vector<Did> const& ranks) {
  auto const history = analyse::history_of(ranks);
  std::vector<analyse::Source> sources;
  for (auto const& rank : ranks) sources.push_back(rank.source());
  std::string text;
  for (auto const& call : analyse::find_hazard(std::move(sources), history))
    text += fmt::format("{}{}{}{}", text.empty() ? "" : " ", call.rank,
                        call.sends                      ? ">"
                        : call.message == analyse::none ? "="
                                                        : "<",
                        call.on);
  return text;
}

}  // namespace

TEST_CASE("two that send to each other first rely on room") {
  CHECK(hazard_of({Did{}.send(1, 1, blocking).receive(1, 1, 1, 0),
                   Did{}.send(0, 1, blocking).receive(0, 1, 0, 0)}) == "0>1 1>0");
}

TEST_CASE("so do two whose sends may wait for their receivers when the message is long") {
  constexpr auto standard = Mode::standard_by_default;
  CHECK(hazard_of({Did{}.send(1, 1, standard).receive(1, 1, 1, 0),
                   Did{}.send(0, 1, standard).receive(0, 1, 0, 0)}) == "0>1 1>0");
  CHECK(hazard_of({Did{}.send(0, 1, standard).receive(0, 1, 0, 0)}) == "0>0");
}

TEST_CASE("and two that complete their sends first, but not by a test") {
  auto const sends = [](std::int32_t to) { return Did{}.send(to, 1, Mode::standard).call("wait"); };
  auto const hazard = [&](auto complete) {
    return hazard_of(
        {complete(sends(1), 1).receive(1, 1, 1, 0), complete(sends(0), 0).receive(0, 1, 0, 0)});
  };
  CHECK(hazard([](Did did, std::int32_t to) { return did.completed_send(to, 0); }) == "0>1 1>0");
  CHECK(hazard([](Did did, std::int32_t to) {
          return did.tested(1, {0}).completed_send(to, 0);
        }).empty());
  CHECK(hazard([](Did did, std::int32_t) { return did; }).empty());
}

TEST_CASE("sends whose API promises room do not wait") {
  for (auto const mode : {Mode::buffered, Mode::standard})
    CHECK(hazard_of({Did{}.send(1, 1, mode).receive(1, 1, 1, 0),
                     Did{}.send(0, 1, mode).receive(0, 1, 0, 0)}) == "");
}

TEST_CASE("one of two that receives first needs no room") {
  CHECK(hazard_of({Did{}.send(1, 1, blocking).receive(1, 1, 1, 0),
                   Did{}.receive(0, 1, 0, 0).send(0, 1, blocking)}) == "");
}

TEST_CASE("a receive that was posted before is as good") {
  CHECK(hazard_of({Did{}.post(1, 1).send(1, 1, blocking).matched(0, 1, 0).wait(0),
                   Did{}.post(0, 1).send(0, 1, blocking).matched(0, 0, 0).wait(0)}) == "");
}

TEST_CASE("a ring of sends is a cycle of all, and others that wait for it are not in it") {
  CHECK(hazard_of({Did{}.receive(1, 2, 1, 0),
                   Did{}.send(2, 1, blocking).receive(3, 1, 3, 0).send(0, 2, blocking),
                   Did{}.send(3, 1, blocking).receive(1, 1, 1, 0),
                   Did{}.send(1, 1, blocking).receive(2, 1, 2, 0)}) == "1>2 2>3 3>1");
}

TEST_CASE("a message that is received behind a barrier keeps its sender from coming to it") {
  CHECK(hazard_of({Did{}.send(1, 1, blocking).barrier(2), Did{}.barrier(2).receive(0, 1, 0, 0)}) ==
        "0>1 1=0");
}

TEST_CASE("a root that only gathers lets its members go on") {
  auto const gathered = [](DataFlow flow) {
    return hazard_of({Did{}.send(1, 1, blocking).collective(flow, 2, 0),
                      Did{}.collective(flow, 2, 0).receive(0, 1, 0, 0)});
  };
  CHECK(gathered(DataFlow::to_root) == "");
  CHECK(gathered(DataFlow::from_root) == "0>1 1=0");
}

TEST_CASE("a probe finds a message whose sender waits") {
  CHECK(hazard_of({Did{}.send(1, 1, blocking),
                   Did{}.probe(0, 0).found(OpKind::try_receive, 0, 1, 0, 0)}) == "");
}

TEST_CASE("messages to oneself and those never received stop no sender") {
  CHECK(hazard_of({Did{}.send(0, 1, blocking).receive(0, 1, 0, 0).send(1, 1, blocking),
                   Did{}.send(0, 1, blocking)}) == "");
}
