// SPDX-License-Identifier: BSD-3-Clause
/// Places of messages in a picture: causes are left of their effects.
#include "debug/analyse/picture.hpp"

#include <catch2/catch.hpp>

using namespace earl;
using analyse::none;

namespace {

/// A run with only the data that a picture needs.
class Run {
 public:
  explicit Run(std::size_t ranks) { history.ranks.resize(ranks); }

  std::uint32_t send(std::uint32_t from, std::uint32_t to) {
    auto& rank = history.ranks[from];
    history.messages.push_back({.source = from, .dest = to, .own = rank.completions});
    history.messages.back().at.call = ++rank.calls;
    return static_cast<std::uint32_t>(history.messages.size() - 1);
  }
  void receive(std::uint32_t rank, std::uint32_t message) {
    auto& history_of = history.ranks[rank];
    history_of.receives.push_back({.message = message});
    join(rank, static_cast<std::uint32_t>(history_of.receives.size() - 1));
  }
  /// All that came before at `from` is before this.
  void meet(std::uint32_t rank, std::uint32_t from) {
    history.causes.push_back({.rank = from, .completions = history.ranks[from].completions});
    join(rank, none);
  }

  analyse::History history;

 private:
  void join(std::uint32_t rank, std::uint32_t receive) {
    ++history.ranks[rank].completions;
    history.joins.push_back({.rank = rank,
                             .receive = receive,
                             .causes = static_cast<std::uint32_t>(history.causes.size())});
  }
};

}  // namespace

TEST_CASE("a message is received right of where it was sent") {
  Run run(2);
  auto const first = run.send(1, 0);
  auto const second = run.send(1, 0);
  run.receive(0, first);
  run.receive(0, second);
  auto const picture = analyse::make_picture(run.history);
  CHECK(picture.arrows[first].sent == 0);
  CHECK(picture.arrows[second].sent == 1);
  CHECK(picture.arrows[first].received == 1);
  CHECK(picture.arrows[second].received == 2);
  CHECK(picture.arrows[second].receive == 1);
  CHECK(picture.columns == 3);
}

TEST_CASE("processes that send to each other before they receive do not wait in a picture") {
  Run run(2);
  auto const there = run.send(0, 1);
  auto const back = run.send(1, 0);
  run.receive(0, back);
  run.receive(1, there);
  auto const picture = analyse::make_picture(run.history);
  CHECK(picture.arrows[there].sent == 0);
  CHECK(picture.arrows[back].sent == 0);
  CHECK(picture.arrows[there].received == 1);
  CHECK(picture.arrows[back].received == 1);
}

TEST_CASE("a send after a synchronisation is right of it") {
  Run run(3);
  auto const first = run.send(0, 1);
  run.receive(1, first);
  run.meet(2, 1);
  auto const last = run.send(2, 0);
  auto const picture = analyse::make_picture(run.history);
  REQUIRE(picture.marks.size() == 1);
  CHECK(picture.marks[0].rank == 2);
  CHECK(picture.marks[0].column == 2);
  CHECK(picture.arrows[last].sent == 3);
  CHECK(picture.arrows[last].received == none);
}
