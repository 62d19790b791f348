// SPDX-License-Identifier: BSD-3-Clause
/// Which orders `earl explore` tries, and the path that it reports.
#include <algorithm>
#include <catch2/catch.hpp>

#include "debug/explore/checkpoint.hpp"
#include "debug/explore/differences.hpp"
#include "debug/explore/search.hpp"
#include "debug/explore/shrink.hpp"
#include "tests/debug/did.hpp"

using namespace earl;
using analyse::anything;
using analyse::Did;
using analyse::history_of;
using explore::Search;
using Words = std::vector<std::string>;

namespace {

/// Two messages for one rank; receives get them in this order.
std::vector<Did> pair(int first, int second) {
  return {Did{}.call().receive(-1, 1, first, 0).call().receive(-1, 1, second, 0), Did{}.send(0, 1),
          Did{}.send(0, 1)};
}

std::vector<Did> polled(Did const& poller) { return {poller, Did{}.call().send(0, 1)}; }

/// The steps that a search tries where no run follows from any.
Words tried_from(std::vector<Did> const& ranks) {
  Search search;
  auto history = history_of(ranks);
  REQUIRE(search.add(0, history));
  Words steps;
  while (auto const trial = search.next()) steps.push_back(trace::to_text(trial->step));
  CHECK(search.left(0) == 0);
  CHECK(search.coverage().tried == search.coverage().alternatives);
  return steps;
}

}  // namespace

TEST_CASE("a search tries what a new run shows, until no run is new") {
  Search search;
  auto first = history_of(pair(1, 2));
  REQUIRE(search.add(0, first));
  CHECK(search.left(0) == 1);
  REQUIRE(search.coming(3).size() == 1);
  CHECK(search.coming(0).empty());
  auto const soon = trace::to_text(search.coming(1).front()->path);
  auto const trial = search.next();
  REQUIRE(trial);
  CHECK(trace::to_text(trial->path) == "0:0=2#0,0@1");
  CHECK(soon == "0:0=2#0,0@1");
  CHECK(search.coming(1).empty());
  auto second = history_of(pair(2, 1));
  REQUIRE(search.add(1, second));
  CHECK(search.left(1) == 1);
  // That it leads back is known without a run.
  CHECK_FALSE(search.next());
  CHECK_FALSE(search.add(2, second));
  CHECK(search.orders() == 2);
  CHECK(search.coverage().tried == 2);
}

TEST_CASE("a search tries races first that hang on no other, and answers last") {
  auto const ranks = std::vector<Did>{Did{}
                                          .call()
                                          .found(OpKind::try_probe, -1, 1, 1, 0)
                                          .call()
                                          .receive(-1, 1, 1, 0)
                                          .call()
                                          .receive(-1, 1, 2, 0)
                                          .call()
                                          .receive(-1, 1, 3, 0),
                                      Did{}.send(0, 1), Did{}.send(0, 1), Did{}.send(0, 1)};
  CHECK(tried_from(ranks) ==
        Words{"0:0=2#0", "0:0=3#0", "0:1=3#0", "0?0=2#0", "0?0=3#0", "0?0=no"});
}

TEST_CASE("a poll that failed could have found what was not sent because of it") {
  CHECK(tried_from(polled(Did{}.call().misses(1, -1, 1))) == Words{"0?0=1#0"});
  CHECK(tried_from(polled(Did{}.call().misses(1, -1, 2))).empty());
  auto const asked = Did{}.call().misses(1, -1, 1).call().send(1, 5);
  CHECK(tried_from({asked, Did{}.call().receive(0, 5, 0, 0).call().send(0, 1)}).empty());
}

TEST_CASE("of answers no in a row, a few are different") {
  auto const long_wait =
      Did{}.call().misses(100, -1, 1).call().found(OpKind::try_probe, -1, 1, 1, 0);
  CHECK(tried_from(polled(long_wait)) == Words{"0?0=1#0", "0?1=1#0", "0?2=1#0", "0?3=1#0"});
  auto const once = Did{}.call().misses(1, -1, 1).call().found(OpKind::try_probe, -1, 1, 1, 0);
  CHECK(tried_from(polled(once)) == Words{"0?0=1#0", "0?1=no"});
  auto longer = history_of(
      polled(Did{}.call().misses(90, -1, 1).call().found(OpKind::try_probe, -1, 1, 1, 0)));
  auto history = history_of(polled(long_wait));
  CHECK(explore::Outcome(longer).key == explore::Outcome(history).key);
}

TEST_CASE("a poll does not miss what a probe has found") {
  auto const seen =
      Did{}.call().found(OpKind::probe, -1, 1, 1, 0).call().found(OpKind::try_probe, -1, 1, 1, 0);
  CHECK(tried_from(polled(seen)).empty());
}

TEST_CASE("a wait for one of several could have got another, and a test could have said no") {
  CHECK(tried_from({Did{}.call().tested(3, {1})}) == Words{"0?0=0", "0?0=2"});
  CHECK(tried_from({Did{}.call().tested(1, {})}) == Words{"0?0=no"});
}

TEST_CASE("a run takes a path when each step came about") {
  auto const history = history_of(pair(2, 1));
  auto const took = [&](char const* path) {
    return explore::took(history, trace::parse_path(path));
  };
  CHECK(took("0:0=2#0,0@1"));
  CHECK(took("0:0=2#0,0:1=1#0"));
  CHECK_FALSE(took("0:0=1#0"));
  CHECK_FALSE(took("0:7=2#0"));
  CHECK_FALSE(took("9:0=2#0"));
  CHECK_FALSE(took("0?0=no"));
  auto const answers = history_of(polled(Did{}.call().misses(2, -1, 1).call().tested(1, {})));
  CHECK(explore::took(answers, trace::parse_path("0?1=no,0?2=yes")));
  CHECK_FALSE(explore::took(answers, trace::parse_path("0?1=yes")));
}

TEST_CASE("the path between two runs names what is not the same, and all behind it") {
  auto const from = history_of(pair(1, 2));
  CHECK(trace::to_text(explore::differences(from, history_of(pair(2, 1)))) == "0:0=2#0,0:1=1#0");
  CHECK(explore::differences(from, from).empty());
  auto const missed = history_of(polled(Did{}.call().misses(2, -1, 1)));
  auto const found = history_of(polled(Did{}.call().found(OpKind::try_probe, -1, 1, 1, 0)));
  CHECK(trace::to_text(explore::differences(missed, found)) == "0?0=1#0");
  CHECK(trace::to_text(explore::differences(found, missed)) == "0?0=no,0?1=no");
}

TEST_CASE("a path is shortened to what no step can be left out of") {
  auto const path = trace::parse_path("0:0=1#0,0:1=1#1,0:2=1#2,0:3=1#3,0:4=1#4,0:5=1#5,0:6=1#6");
  auto const needs = [](std::vector<std::uint64_t> posts) {
    return [posts](trace::Path const& rest) {
      return std::ranges::all_of(posts, [&](std::uint64_t post) {
        return std::ranges::count(rest, post, &trace::PathStep::number) != 0;
      });
    };
  };
  CHECK(trace::to_text(explore::shrink(path, needs({4}), 100)) == "0:4=1#4");
  CHECK(trace::to_text(explore::shrink(path, needs({0, 6}), 100)) == "0:0=1#0,0:6=1#6");
  CHECK(explore::shrink(path, needs({0, 1, 2, 3, 4, 5, 6}), 100) == path);
  CHECK(explore::shrink(path, needs({4}), 0) == path);
}

TEST_CASE("trials of one run share its beginning, up to the first that they change") {
  const std::array trials{trace::parse_path("0:3=1#0,0@9,1@7"),
                          trace::parse_path("0:5=2#0,1@4,2?6=no"),
                          trace::parse_path("2?8=yes,0:4=")};
  std::vector<trace::Path const*> paths;
  for (auto const& path : trials) paths.push_back(&path);
  auto const places = explore::first_steps(paths);
  CHECK(trace::to_text(places) == "0:3=,0@9,1@4,2?6=yes");
  CHECK(trace::parse_path(trace::to_text(places)) == places);
  for (auto const& path : trials) CHECK(explore::is_behind(path, places));
  CHECK(explore::is_behind({}, places));
  CHECK_FALSE(explore::is_behind(trace::parse_path("0:2=1#0"), places));
  CHECK_FALSE(explore::is_behind(trace::parse_path("0:3=1#0,1@3"), places));
  // Where rank 2 is with its receives is not known there.
  CHECK_FALSE(explore::is_behind(trace::parse_path("2:90=1#0"), places));
}
