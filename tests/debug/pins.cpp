// SPDX-License-Identifier: BSD-3-Clause
#include "debug/record/pins.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

using namespace earl;
using namespace earl::record;

namespace {

/// One of a process's receives of anything from anyone, which it makes one after the other.
struct Got {
  Rank source{};
  std::uint64_t sequence = 0;
  std::uint32_t known = 0;  ///< receives of the process that the sender knew to be complete
};
using History = std::vector<Got>;

History history_of(unsigned seed) {
  std::mt19937 dice(seed);
  auto const sources = 2 + dice() % 3;
  std::map<unsigned, std::uint64_t> sequences;
  std::map<unsigned, std::uint32_t> known;
  History history;
  auto const receives = 3 + dice() % 9;
  while (history.size() < receives) {
    auto const source = static_cast<unsigned>(dice() % sources);
    auto& least = known[source];
    auto const most = static_cast<std::uint32_t>(history.size());
    if (dice() % 3 == 0)
      least = std::max(least, most - static_cast<std::uint32_t>(dice() % (most + 1)));
    history.push_back({.source = Rank{static_cast<std::int32_t>(source + 1)},
                       .sequence = sequences[source]++,
                       .known = least});
  }
  return history;
}

std::set<std::size_t> pinned_in(History const& history) {
  Pins pins(Rank{0});
  const Posts open;
  std::set<std::size_t> pinned;
  for (std::size_t i = 0; i < history.size(); ++i) {
    auto const& got = history[i];
    const MessageId id{got.source, got.sequence};
    pins.word_arrived(id, std::uint64_t{got.known} << 32);
    const Received receive{.post = i, .event = i, .selector = trace::selector_of({}), .id = id};
    const Envelope envelope{.source = got.source, .dest = Rank{0}, .context = common_context};
    if (pins.must_pin(receive, envelope, open)) pinned.insert(i);
    pins.completed(i);
  }
  return pinned;
}

/// Whether no order of arrivals leads to another run: at each free receive, only its own message is
/// offered. The oldest message of each source that is left may be there, if it may have been sent.
bool is_forced(History const& history, std::set<std::size_t> const& pinned) {
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (pinned.contains(i)) continue;
    std::set<Rank> seen{history[i].source};
    for (std::size_t later = i + 1; later < history.size(); ++later) {
      bool const oldest = seen.insert(history[later].source).second;
      if (oldest && !pinned.contains(later) && history[later].known <= i) return false;
    }
  }
  return true;
}

std::size_t fewest_pins(History const& history) {
  auto fewest = history.size();
  for (unsigned choice = 0; choice < 1U << history.size(); ++choice) {
    std::set<std::size_t> pinned;
    for (std::size_t i = 0; i < history.size(); ++i)
      if ((choice >> i & 1U) != 0) pinned.insert(i);
    if (pinned.size() < fewest && is_forced(history, pinned)) fewest = pinned.size();
  }
  return fewest;
}

}  // namespace

TEST_CASE("receives of anything are pinned as seldom as can be, and none too seldom") {
  std::size_t all = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    auto const history = history_of(seed);
    auto const pinned = pinned_in(history);
    INFO("seed " << seed);
    CHECK(is_forced(history, pinned));
    CHECK(pinned.size() == fewest_pins(history));
    all += pinned.size();
    for (auto const one : pinned) {
      auto fewer = pinned;
      fewer.erase(one);
      CHECK_FALSE(is_forced(history, fewer));
    }
  }
  CHECK(all > 300);
}

TEST_CASE("a process tells others how many of its receives are complete") {
  Pins pins(Rank{0});
  CHECK(pins.word_for(Rank{1}) == 0);
  const MessageId id{Rank{1}, 0};
  pins.word_arrived(id, 7);
  pins.matched(0, {.source = Rank{1}, .dest = Rank{0}}, id);
  // The program does not have it yet: it may send this before that arrives, in another run.
  CHECK(pins.word_for(Rank{1}) == 0);
  pins.completed(0);
  CHECK(pins.word_for(Rank{1}) == (std::uint64_t{7} << 32 | 1));
  CHECK(pins.word_for(Rank{2}) == 1);
}

TEST_CASE("what a receive could not take pins nothing") {
  Pins pins(Rank{0});
  Posts open;
  auto const pinned = [&](std::uint64_t post, MatchSpec const& spec, int source, int tag) {
    const MessageId id{Rank{source}, post};
    pins.posting(spec);
    const Received receive{.post = post, .selector = trace::selector_of(spec), .id = id};
    return pins.must_pin(receive, {.source = Rank{source}, .dest = Rank{0}, .tag = Tag{tag}}, open);
  };
  const std::array<Tag, 2> tags{Tag{1}, Tag{2}};
  const std::array<Rank, 2> ranks{Rank{1}, Rank{2}};
  CHECK_FALSE(pinned(0, {.tag = TagMatch::exactly(Tag{5})}, 1, 5));
  CHECK_FALSE(pinned(1, {.tag = TagMatch::any_of(tags)}, 2, 2));
  CHECK(pinned(2, {.tag = TagMatch::exactly(Tag{1})}, 3, 1));
  CHECK_FALSE(pinned(3, {.sources = ranks, .tag = TagMatch::exactly(Tag{7})}, 2, 7));
  CHECK_FALSE(pinned(4, {.tag = TagMatch::exactly(Tag{7})}, 3, 7));
  CHECK(pinned(5, {.tag = TagMatch::exactly(Tag{7})}, 1, 7));
  // An older receive of the same has been matched with a long message, if this one has a message.
  open.add({.post = 6, .selector = trace::selector_of({.tag = TagMatch::exactly(Tag{9})})});
  CHECK(pinned(7, {.tag = TagMatch::exactly(Tag{9})}, 1, 9));
  CHECK_FALSE(pinned(8, {.tag = TagMatch::exactly(Tag{10})}, 1, 10));
}

TEST_CASE("when more receives are free than are remembered, those to be compared are pinned") {
  Pins pins(Rank{0});
  const Posts open;
  auto const receive = [&](std::uint64_t post, int tag, int source) {
    const Received got{.post = post,
                       .selector = trace::selector_of({.tag = TagMatch::exactly(Tag{tag})}),
                       .id = {Rank{source}, post}};
    auto const pinned =
        pins.must_pin(got, {.source = Rank{source}, .dest = Rank{0}, .tag = Tag{tag}}, open);
    pins.completed(post);
    return pinned;
  };
  std::size_t pinned = 0;
  for (std::uint64_t post = 0; post < Pins::most_free + 10; ++post)
    pinned += receive(post, static_cast<int>(post), 1) ? 1U : 0U;
  CHECK(pinned == 9);
}
