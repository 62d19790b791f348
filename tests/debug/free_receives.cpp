// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/free_receives.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "debug/trace/codec.hpp"

using namespace earl;
using namespace earl::trace;

TEST_CASE("numbers at equal distances are one progression") {
  std::vector<std::uint64_t> numbers{9, 1, 2, 3, 3, 10, 20, 30, 40, 100};
  CHECK(progressions_of(numbers) ==
        std::vector<Progression>{{1, 1, 3}, {9, 1, 2}, {20, 10, 3}, {100, 1, 1}});
  std::vector<std::uint64_t> none;
  CHECK(progressions_of(none).empty());
}

TEST_CASE("a union of progressions has their numbers, however they overlap") {
  std::mt19937 dice(1);
  for (int round = 0; round < 50; ++round) {
    Progressions all;
    std::vector<bool> there(400);
    for (int i = 0; i < 6; ++i) {
      const Progression one{
          .first = dice() % 100, .step = 1 + dice() % 7, .count = 1 + dice() % 30};
      all.add(one);
      for (auto number = one.first; number <= one.last(); number += one.step) there[number] = true;
    }
    for (std::uint64_t number = 0; number < there.size(); ++number)
      CHECK(all.contains(number) == there[number]);
  }
}

namespace {

Outcome received(std::uint64_t post, int source, std::uint64_t sequence) {
  Outcome outcome;
  outcome.site = 1;
  outcome.event = post + 1;
  outcome.post = post;
  outcome.id = {Rank{source}, sequence};
  return outcome;
}

std::vector<std::byte> frame_of(std::vector<Outcome> const& outcomes) {
  std::vector<std::byte> frame(most_record_bytes * 2);
  Encoder encoder;
  std::size_t used = 0;
  for (auto const& outcome : outcomes) used += encoder.put(outcome, frame.data() + used);
  frame.resize(used);
  return frame;
}

}  // namespace

TEST_CASE("a frame keeps all but its free receives, whose numbers it lists") {
  FreeReceives free;
  std::vector<Outcome> outcomes;
  std::vector<Outcome> kept;
  for (std::uint64_t post = 0; post < 100; ++post) {
    outcomes.push_back(received(post, post % 2 == 0 ? 1 : 2, post / 2));
    free.count_receive();
    if (post % 5 != 0)
      free.add(post, outcomes.back().id);
    else
      kept.push_back(outcomes.back());
  }
  auto const frame = frame_of(outcomes);
  auto reduced = decode(free.reduced(frame, 10'000));
  REQUIRE(reduced.size() == 1 + kept.size());
  CHECK(reduced.front().what == OutcomeKind::free_receives);
  CHECK(reduced.front().count == 100);
  FreeLists lists;
  lists.read(reduced.front().text);
  CHECK(lists.receives() == 80);
  for (std::uint64_t post = 0; post < 102; ++post)
    CHECK(lists.has_receive(post) == (post < 100 && post % 5 != 0));
  CHECK(lists.has_message({Rank{1}, 1}));
  CHECK_FALSE(lists.has_message({Rank{1}, 0}));
  CHECK_FALSE(lists.has_message({Rank{2}, 50}));
  CHECK_FALSE(lists.has_message({Rank{3}, 1}));
  reduced.erase(reduced.begin());
  CHECK(reduced == kept);
  // The next frame has nothing of this one.
  CHECK(decode(free.reduced(frame, 10'000)) == outcomes);
}

TEST_CASE("lists hold numbers of any size") {
  constexpr auto last = ~std::uint64_t{0};
  FreeReceives free;
  free.add(7, {Rank{1}, last});
  free.add(8, {Rank{1}, last - 1});
  FreeLists lists;
  lists.read(decode(free.reduced({}, 10'000)).front().text);
  CHECK(lists.has_message({Rank{1}, last}));
  CHECK(lists.has_message({Rank{1}, last - 1}));
  CHECK_FALSE(lists.has_message({Rank{1}, last - 2}));
  CHECK(lists.receives() == 2);
}

TEST_CASE("a frame whose lists are too long stays as it is") {
  FreeReceives free;
  std::mt19937 dice(7);
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 3000; ++i) {
    outcomes.push_back(received(static_cast<std::uint64_t>(i), 1, dice()));
    free.add(outcomes.back().post, outcomes.back().id);
  }
  auto const frame = frame_of({outcomes.front()});
  auto const same = free.reduced(frame, 10'000);
  CHECK(same.data() == frame.data());
}

TEST_CASE("a list that is damaged adds what can be read, and nothing impossible") {
  FreeReceives free;
  for (std::uint64_t post = 0; post < 10; ++post) free.add(3 * post, {Rank{1}, 7 * post});
  auto const text = decode(free.reduced({}, 10'000)).front().text;
  for (std::size_t at = 0; at < text.size(); ++at)
    for (unsigned bit = 0; bit < 8; ++bit) {
      auto damaged = text;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ 1U << bit);
      FreeLists lists;
      lists.read(damaged);
      CHECK(lists.receives() < std::uint64_t{1} << 63);
      lists.read(std::string_view{damaged}.substr(0, at));
    }
}
