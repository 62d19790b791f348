// SPDX-License-Identifier: BSD-3-Clause
/// Races of receives, in small runs whose answers are known.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <catch2/catch.hpp>

#include "debug/analyse/candidates.hpp"
#include "debug/analyse/diff.hpp"
#include "debug/analyse/mismatches.hpp"
#include "debug/analyse/steer.hpp"
#include "tests/debug/did.hpp"

using namespace earl;
using analyse::Did;
using analyse::history_of;

namespace {

/// "0:1 2#1 2#2*": receive 1 of rank 0 could have got these messages; `*`: on the frontier.
std::vector<std::string> races_of(std::vector<Did> const& ranks, std::uint32_t initial = 8) {
  std::vector<analyse::Source> sources;
  for (auto const& rank : ranks) sources.push_back(rank.source());
  auto history = analyse::read_history(std::move(sources), initial);
  CHECK(history.unexplained == 0);
  std::vector<std::string> found;
  for (auto const& race : analyse::find_races(history)) {
    std::vector<std::string> others;
    for (auto const message : race.others)
      others.push_back(fmt::format("{}#{}", history.messages[message].source,
                                   history.messages[message].sequence));
    found.push_back(fmt::format("{}:{} {}{}", race.rank, race.receive, fmt::join(others, " "),
                                race.frontier ? "*" : ""));
  }
  return found;
}

using Races = std::vector<std::string>;

/// "0:1*": rank 0 differs from its step 1 on; `*`: no difference comes before.
std::vector<std::string> differences_of(std::vector<Did> const& a, std::vector<Did> const& b) {
  auto const one = history_of(a);
  auto const other = history_of(b);
  std::vector<std::string> texts;
  for (auto const& found :
       analyse::find_differences(one, analyse::steps_of(one), other, analyse::steps_of(other)))
    texts.push_back(fmt::format("{}:{}{}", found.rank, found.step, found.first ? "*" : ""));
  return texts;
}

using Differences = std::vector<std::string>;

/// "1#0": the messages of `run` that differ from those of `other`, by sender and number.
std::vector<std::string> differing_in(std::vector<Did> const& run, std::vector<Did> const& other) {
  auto const one = history_of(run);
  auto const second = history_of(other);
  auto const steps = analyse::steps_of(one);
  auto const found = analyse::find_differences(one, steps, second, analyse::steps_of(second));
  std::vector<std::string> texts;
  for (auto const message : analyse::differing_messages(one, steps, found))
    texts.push_back(
        fmt::format("{}#{}", one.messages[message].source, one.messages[message].sequence));
  std::ranges::sort(texts);
  return texts;
}

}  // namespace

TEST_CASE("messages of two senders race, and a message behind one in its channel does not") {
  CHECK(races_of({Did{}.receive(-1, 1, 1, 0).receive(-1, 1, 1, 1).receive(-1, 1, 2, 0),
                  Did{}.send(0, 1).send(0, 1), Did{}.send(0, 1).send(0, 1)}) ==
        Races{"0:0 2#0*", "0:1 2#0"});
}

TEST_CASE("a message that was not received keeps those behind it from racing") {
  CHECK(races_of({Did{}.receive(-1, analyse::anything, 1, 0), Did{}.send(0, 1),
                  Did{}.send(0, 1).send(0, 1)}) == Races{"0:0 2#0*"});
}

TEST_CASE("wildcards with one sender for each tag do not race") {
  CHECK(races_of({Did{}.receive(-1, 2, 2, 0).receive(-1, 1, 1, 0).receive(-1, 2, 2, 1),
                  Did{}.send(0, 1), Did{}.send(0, 2).send(0, 2)})
            .empty());
}

TEST_CASE("a sender that knows that the receive is complete does not race") {
  CHECK(races_of({Did{}.receive(-1, 1, 1, 0).send(1, 9).receive(-1, 1, 2, 0),
                  Did{}.send(0, 1).receive(0, 9, 0, 0).send(2, 9),
                  Did{}.receive(1, 9, 1, 0).send(0, 1)})
            .empty());
}

TEST_CASE("ordered sends race all the same, when the receive is not known to be complete") {
  CHECK(races_of({Did{}.receive(-1, 1, 1, 0).receive(-1, 1, 2, 0), Did{}.send(0, 1).send(2, 9),
                  Did{}.receive(1, 9, 1, 0).send(0, 1)}) == Races{"0:0 2#0*"});
}

TEST_CASE("that a receive was posted is no protection, that it was complete is") {
  CHECK(races_of({Did{}.post(-1, 1).send(2, 9).matched(0, 1, 0).wait(0).receive(-1, 1, 2, 0),
                  Did{}.send(0, 1), Did{}.receive(0, 9, 0, 0).send(0, 1)}) == Races{"0:0 2#0*"});
}

TEST_CASE("the end of a synchronous send implies that its message was taken") {
  auto const synchronous = Mode::synchronous;
  CHECK(races_of({Did{}.receive(-1, 1, 1, 0).receive(-1, 1, 2, 0),
                  Did{}.send(0, 1, synchronous).sent(0, 0).send(2, 9),
                  Did{}.receive(1, 9, 1, 0).send(0, 1)})
            .empty());
}

TEST_CASE("a probe that found a message has its sender's knowledge") {
  CHECK(races_of({Did{}.receive(-1, 1, 1, 0).send(2, 9).receive(-1, 1, 2, 0), Did{}.send(0, 1),
                  Did{}.probe(0, 0).send(0, 1)})
            .empty());
}

TEST_CASE("nothing races across a barrier but messages sent before it") {
  CHECK(races_of({Did{}.receive(-1, 1, 1, 0).barrier(3).receive(-1, 1, 2, 0),
                  Did{}.send(0, 1).barrier(3), Did{}.barrier(3).send(0, 1)})
            .empty());
  CHECK(races_of({Did{}.barrier(3).receive(-1, 1, 1, 0).receive(-1, 1, 2, 0),
                  Did{}.send(0, 1).barrier(3), Did{}.barrier(3).send(0, 1)}) == Races{"0:0 2#0*"});
}

TEST_CASE("a collective with a root orders along its data") {
  auto const order = [](DataFlow flow, std::uint64_t root) {
    return races_of({Did{}.receive(-1, 1, 1, 0).collective(flow, 3, root).receive(-1, 1, 2, 0),
                     Did{}.send(0, 1).collective(flow, 3, root),
                     Did{}.collective(flow, 3, root).send(0, 1)});
  };
  CHECK(order(DataFlow::from_root, 0).empty());
  CHECK(order(DataFlow::from_root, 1) == Races{"0:0 2#0*"});
  CHECK(order(DataFlow::to_root, 0) == Races{"0:0 2#0*"});
  CHECK(order(DataFlow::to_root, 2).empty());
  CHECK(order(DataFlow::in_order, 0).empty());
}

TEST_CASE("a named barrier of EXEC's orders its members") {
  CHECK(races_of({Did{}.receive(-1, 1, 1, 0).meet(3).receive(-1, 1, 2, 0), Did{}.send(0, 1).meet(3),
                  Did{}.meet(3).send(0, 1)})
            .empty());
}

TEST_CASE("a process has its starter's knowledge") {
  Did const starter = Did{}.receive(-1, 1, 1, 0).spawned(2).receive(-1, 1, 2, 0);
  CHECK(races_of({starter, Did{}.send(0, 1), Did{}.send(0, 1)}, 2).empty());
  CHECK(races_of({starter, Did{}.send(0, 1), Did{}.send(0, 1)}, 3) == Races{"0:0 2#0*"});
}

TEST_CASE("receives that are posted together race with each other's messages") {
  Did const first = Did{}.post(-1, 1).post(-1, 1).matched(0, 1, 0).matched(1, 1, 2);
  CHECK(races_of({Did{first}.wait(0).wait(1), Did{}.send(0, 1).send(0, 2).send(0, 1),
                  Did{}.send(0, 2).send(0, 1)}) == Races{"0:0 2#1*", "0:1 1#0 2#1*"});
}

TEST_CASE("named receives do not race, unless a wildcard before them is open") {
  CHECK(
      races_of({Did{}.receive(1, 1, 1, 0).receive(2, 1, 2, 0), Did{}.send(0, 1), Did{}.send(0, 1)})
          .empty());
  CHECK(races_of({Did{}.post(-1, 1).post(1, 1).matched(0, 2, 0).matched(1, 1, 0).wait(0).wait(1),
                  Did{}.send(0, 1).send(0, 1), Did{}.send(0, 1)}) == Races{"0:0 1#0*"});
}

TEST_CASE("an open named receive takes the first message of its sender that it accepts") {
  CHECK(races_of({Did{}
                      .post(-1, -1)
                      .post(1, 1)
                      .post(-1, 1)
                      .matched(0, 1, 0)
                      .matched(1, 1, 2)
                      .matched(2, 2, 1)
                      .wait(0)
                      .wait(1)
                      .wait(2),
                  Did{}.send(0, 1).send(0, 2).send(0, 1), Did{}.send(0, 2).send(0, 1)}) ==
        Races{"0:0 2#0*", "0:1 1#0*", "0:2 1#2*"});
}

TEST_CASE("members that differ in a collective, or in its root, do not match") {
  auto const mismatch = [](std::vector<Did> const& ranks, bool complete = false) -> std::string {
    std::vector<analyse::Source> sources;
    for (auto const& rank : ranks) sources.push_back(rank.source());
    auto const found = analyse::find_mismatches(std::move(sources), complete);
    for (auto const& [one, other] : found.calls)
      return fmt::format("{}@{} {}@{}", one.rank, one.root, other.rank, other.root);
    for (auto const& [made, rank] : found.missing)
      return fmt::format("{}@{} {}", made.rank, made.root, rank);
    return "";
  };
  Did const plain = Did{}.barrier(2).collective(DataFlow::from_root, 2, 1);
  CHECK(mismatch({plain, plain}).empty());
  CHECK(mismatch({plain, Did{}.barrier(2).collective(DataFlow::from_root, 2, 0)}) == "0@1 1@0");
  CHECK(mismatch({plain, Did{}.barrier(2).collective(DataFlow::to_root, 2, 1)}) == "0@1 1@1");
  CHECK(mismatch({plain, Did{}.barrier(2)}).empty());  // it may have been killed
  CHECK(mismatch({plain, Did{}.barrier(2)}, true) == "0@1 1");
  CHECK(mismatch({plain, plain}, true).empty());
}

TEST_CASE("what a member of a collective gives is of the type that others take") {
  auto const mismatch = [](std::vector<Did> const& ranks) {
    std::vector<analyse::Source> sources;
    for (auto const& rank : ranks) sources.push_back(rank.source());
    std::vector<std::string> texts;
    for (auto const& [one, other] : analyse::find_mismatches(std::move(sources), true).types)
      texts.push_back(fmt::format("{}:{} {}:{}", one.rank, one.given, other.rank, other.taken));
    return texts;
  };
  using Texts = std::vector<std::string>;
  auto const gather = [](std::string const& given, std::string const& taken) {
    return Did{}.call("gather").types(given, taken).collective(DataFlow::to_root, 2, 0);
  };
  CHECK(mismatch({gather("word", "word"), gather("word", "")}).empty());
  CHECK(mismatch({gather("", "word"), gather("", "")}).empty());
  CHECK(mismatch({gather("", ""), gather("word", "")}).empty());
  CHECK(mismatch({gather("real", "word"), gather("word", "")}) == Texts{"0:real 0:word"});
  CHECK(mismatch({gather("real", "word"), gather("real", "")}) == Texts{"1:real 0:word"});
  // Types are of the next collective of the same call only.
  CHECK(mismatch({gather("word", "").call("other").types("real", "").call("barrier").barrier(2),
                  gather("", "word").call("barrier").types("", "word").barrier(2)})
            .empty());
}

TEST_CASE("members that name their calls make the same one") {
  auto const calls = [](std::vector<Did> const& ranks) {
    std::vector<analyse::Source> sources;
    for (auto const& rank : ranks) sources.push_back(rank.source());
    return analyse::find_mismatches(std::move(sources), true).calls.size();
  };
  auto const named = [](std::string const& call) {
    return Did{}.call(call).types("", "").barrier(2);
  };
  CHECK(calls({named("one"), named("one")}) == 0);
  CHECK(calls({named("one"), named("other")}) == 1);
  CHECK(calls({Did{}.call("one").barrier(2), Did{}.call("other").barrier(2)}) == 0);
}

TEST_CASE("a race that hangs on another one is not on the frontier") {
  CHECK(races_of({Did{}.receive(-1, 1, 2, 0).receive(-1, 1, 3, 0).send(1, 2),
                  Did{}.receive(-1, 2, 0, 0).receive(-1, 2, 2, 0), Did{}.send(0, 1).send(1, 2),
                  Did{}.send(0, 1)}) == Races{"0:0 3#0*", "1:0 2#0"});
}

TEST_CASE("records that lack a cause are read all the same, and say so") {
  std::vector<analyse::Source> sources{Did{}.receive(-1, 1, 1, 0).source(), {}};
  auto const history = analyse::read_history(std::move(sources), 2);
  CHECK(history.unexplained == 1);
  CHECK(history.ranks[0].receives.size() == 1);
}

TEST_CASE("runs that did the same do not differ, however often they asked") {
  std::vector<Did> const run{Did{}.receive(-1, 1, 1, 0), Did{}.send(0, 1)};
  CHECK(differences_of(run, run).empty());
  CHECK(differences_of({Did{}.receive(-1, 1, 1, 0), Did{}.send(0, 1)},
                       {Did{}.probe(1, 0).receive(-1, 1, 1, 0), Did{}.send(0, 1)})
            .empty());
}

TEST_CASE("a receive that got another message precedes the sends that depend on it") {
  auto const run = [](int first, int second, int tag) {
    return std::vector<Did>{Did{}.receive(-1, 1, first, 0).receive(-1, 1, second, 0).send(3, tag),
                            Did{}.send(0, 1), Did{}.send(0, 1),
                            Did{}.receive(0, analyse::anything, 0, 0).send(4, tag),
                            Did{}.receive(3, analyse::anything, 3, 0)};
  };
  CHECK(differences_of(run(1, 2, 5), run(2, 1, 6)) == Differences{"0:0*", "3:1"});
}

TEST_CASE("a message that differs comes before all that happens behind its receive") {
  auto const run = [](int tag) {
    return std::vector<Did>{
        Did{}.send(1, 9).send(1, tag),
        Did{}.receive(0, 9, 0, 0).receive(0, analyse::anything, 0, 1).send(2, tag),
        Did{}.receive(1, analyse::anything, 1, 0).send(0, tag)};
  };
  CHECK(differences_of(run(5), run(6)) == Differences{"0:1*", "1:2", "2:1"});
}

TEST_CASE("differences on both sides of a barrier depend on the side before it") {
  auto const run = [](int from, int other, int tag) {
    return std::vector<Did>{Did{}.receive(-1, 1, from, 0).receive(-1, 1, other, 0).barrier(4),
                            Did{}.send(0, 1).barrier(4), Did{}.send(0, 1).barrier(4),
                            Did{}.barrier(4).send(0, tag)};
  };
  CHECK(differences_of(run(1, 2, 5), run(2, 1, 6)) == Differences{"0:0*", "3:0"});
}

TEST_CASE("differences that know nothing of each other are all first") {
  CHECK(differences_of({Did{}.send(1, 5), Did{}, Did{}.send(1, 5)},
                       {Did{}.send(1, 6), Did{}, Did{}.send(1, 6)}) == Differences{"0:0*", "2:0*"});
}

TEST_CASE("a rank that ended earlier, or is in one run only, differs") {
  CHECK(differences_of({Did{}.send(1, 5).send(1, 5), Did{}}, {Did{}.send(1, 5), Did{}}) ==
        Differences{"0:1*"});
  CHECK(differences_of({Did{}}, {Did{}, Did{}.send(0, 1)}) == Differences{"1:0*"});
}

TEST_CASE("messages before the first differences of their ranks are alike, and no others") {
  auto const run = [](int first, int second) {
    return std::vector<Did>{
        Did{}.receive(3, 1, 3, 0).receive(-1, 1, first, 0).receive(-1, 1, second, 0),
        Did{}.send(0, 1), Did{}.send(0, 1).send(3, 2), Did{}.send(0, 1).receive(2, 2, 2, 0)};
  };
  CHECK(differing_in(run(1, 2), run(1, 2)).empty());
  CHECK(differing_in(run(1, 2), run(2, 1)) == Differences{"1#0", "2#0"});
}

TEST_CASE("a message that was lost differs when its receiver does") {
  std::vector<Did> const lost{Did{}, Did{}.send(0, 1)};
  CHECK(differing_in(lost, lost).empty());
  CHECK(differing_in(lost, {Did{}.receive(1, 1, 1, 0), Did{}.send(0, 1)}) == Differences{"1#0"});
  CHECK(differing_in({Did{}, Did{}.send(0, 1)}, {Did{}}) == Differences{"1#0"});
}

TEST_CASE("ranks are equal that made the same steps, whatever their peers") {
  auto const equal = [](std::vector<Did> const& ranks) {
    auto const history = history_of(ranks);
    analyse::Sites sites(history);
    return analyse::equal_ranks(history, analyse::steps_of(history), sites);
  };
  using Lowest = std::vector<std::uint32_t>;
  CHECK(equal({Did{}.call("a").send(1, 5).call("b").receive(2, 6, 2, 0),
               Did{}.call("b").receive(0, 5, 0, 0).call("a").send(2, 5),
               Did{}.call("a").send(0, 6).call("b").receive(1, 5, 1, 0)}) == Lowest{0, 1, 0});
  CHECK(equal({Did{}.send(1, 5), Did{}.receive(0, 5, 0, 0), Did{}, Did{}}) == Lowest{0, 1, 2, 2});
  CHECK(equal({Did{}.send(1, 5).send(1, 5), Did{}.send(0, 5)}) == Lowest{0, 1});
  CHECK(equal({Did{}.barrier(2), Did{}.barrier(2), Did{}}) == Lowest{0, 0, 2});
}

namespace {

std::string consequences_of(std::vector<Did> const& ranks, char const* path) {
  return trace::to_text(analyse::with_consequences(history_of(ranks), trace::parse_path(path)));
}

}  // namespace

TEST_CASE("the events after a receive of a path are unconstrained, and no others") {
  auto const receive = [](int from) {
    return Did{}.call().receive(-1, analyse::anything, from, 0);
  };
  CHECK(consequences_of({receive(1).call().receive(-1, 1, 2, 0).call().send(3, 5),
                         Did{}.call().send(0, 1), Did{}.call().send(0, 1),
                         Did{}.call().send(5, 1).call().receive(0, 5, 0, 0).call().send(4, 5),
                         receive(3), receive(3)},
                        "0:0=2#0") == "0:0=2#0,0@1,3@2,4@1");
}

namespace {

/// Two posted receives from any source, the first with `tag`; ranks 1 and 2 sent their messages.
Did two_posted(int tag) {
  return Did{}
      .call()
      .post(-1, tag)
      .call()
      .post(-1, 1)
      .matched(0, 1, 0)
      .matched(1, 2, 0)
      .call()
      .wait(0)
      .call()
      .wait(1);
}

}  // namespace

TEST_CASE("a receive whose message goes to another receive gets that one's") {
  std::vector<Did> const ranks{two_posted(1), Did{}.send(0, 1), Did{}.send(0, 1)};
  CHECK(consequences_of(ranks, "0:0=2#0") == "0:0=2#0,0:1=1#0,0@3");
  CHECK(consequences_of(ranks, "0:1=1#0") == "0:1=1#0,0:0=2#0,0@3");
}

TEST_CASE("a receive posted before and complete after is free when its message comes after") {
  CHECK(consequences_of({Did{}.call().receive(-1, analyse::anything, 1, 0).call().send(3, 5),
                         Did{}.send(0, 1), Did{}.send(0, 1),
                         Did{}
                             .call()
                             .post(0, 5)
                             .call()
                             .post(4, 1)
                             .call()
                             .matched(0, 0, 0)
                             .wait(0)
                             .call()
                             .matched(1, 4, 0)
                             .wait(1),
                         Did{}.send(3, 1)},
                        "0:0=2#0") == "0:0=2#0,0@1,3@3,3:0=");
}

TEST_CASE("a receive of a path that never completed frees its rank from there on") {
  CHECK(consequences_of({Did{}.call().call().post(1, 1), Did{}}, "0:0=1#0") == "0:0=1#0,0@2");
}

TEST_CASE("what comes after a question of a path is free, from that call on") {
  auto const polls = Did{}.call().call().call().misses(3, -1, 1).call().send(1, 7);
  CHECK(consequences_of({polls, Did{}.call().receive(0, 7, 0, 0)}, "0?1=no") == "0?1=no,0@2,1@1");
  auto const tests = Did{}.call().tested(2, {1}).call().receive(-1, 1, 1, 0);
  CHECK(consequences_of({tests, Did{}.send(0, 1)}, "0?0=0") == "0?0=0,0@1");
}

TEST_CASE("a receive whose message another one gets does not get one that it does not accept") {
  std::vector<Did> const ranks{two_posted(analyse::anything), Did{}.send(0, 5), Did{}.send(0, 1)};
  CHECK(consequences_of(ranks, "0:0=2#0") == "0:0=2#0,0:1=,0@3");
}

TEST_CASE("a path is read as it is written") {
  for (auto const* path : {"0:3=2#5", "0:3=2#5,17:0=1#0", "0:3=2#5,0@17,1:4=", "0?3=2#5",
                           "0?3=no,1?0=yes", "2?7=0", "2?7=1+3"})
    CHECK(trace::to_text(trace::parse_path(path)) == path);
  for (auto const* path : {"",          "0",      "0:",       "a:1=2#3",  "0:1=2",
                           "0:1=#2",    "0:1=2#", "-1:1=2#3", "0:1=2#3,", "0:1=2#3#4",
                           "0@",        "0:1",    "0?1",      "0?1=",     "0?=no",
                           "0?1=maybe", "0?1=1+", "0?1=+",    "?1=no",    "0:1=no"})
    CHECK_THROWS(trace::parse_path(path));
}
