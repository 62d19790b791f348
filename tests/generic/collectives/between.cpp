// SPDX-License-Identifier: BSD-3-Clause
#include "generic/collectives/between.hpp"

#include <catch2/catch.hpp>

#include "tests/generic/network.hpp"

using namespace earl;
using namespace earl::test;

namespace {

constexpr Context within = context_of(Space::collective, 5);
constexpr Context across = context_of(Space::collective, 6);

/// The first `left` ranks are one group, the others the other.
struct Sides {
  Sides(std::size_t left, std::size_t size) : all(size), split(left) {}

  bool on_left(Process& me) const { return index(me.rank()) < split; }
  std::span<const Rank> side(bool left) const {
    return left ? std::span{all.ranks}.first(split) : std::span{all.ranks}.subspan(split);
  }
  GroupPair pair(Process& me) const {
    auto const mine = side(on_left(me));
    std::size_t const place = index(me.rank()) - index(mine.front());
    return {{.members = mine, .me = place, .context = within}, side(!on_left(me)), across};
  }

  AllRanks all;
  std::size_t split;
};

void add_ints(void*, std::byte* into, std::byte const* from, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += sizeof(int)) {
    int a = 0, b = 0;
    std::memcpy(&a, into + i, sizeof a);
    std::memcpy(&b, from + i, sizeof b);
    a += b;
    std::memcpy(into + i, &a, sizeof a);
  }
}

MutableBytes room_of(int& value) { return std::as_writable_bytes(std::span{&value, 1}); }

}  // namespace

TEST_CASE("members of two groups agree on their order") {
  const std::vector<Rank> low{Rank{2}, Rank{9}}, high{Rank{4}, Rank{3}, Rank{7}};
  const GroupPair one{{.members = low, .me = 1, .context = within}, high, across};
  const GroupPair other{{.members = high, .me = 0, .context = within}, low, across};
  CHECK(std::ranges::equal(one.both().members, other.both().members));
  CHECK(one.both().members[one.both().me] == Rank{9});
  CHECK(other.both().members[other.both().me] == Rank{4});
  CHECK(one.both().members[one.remote(2)] == Rank{7});
  CHECK(other.both().members[other.remote(0)] == Rank{2});
  CHECK(one.remote_size() == 3);
  CHECK(one.both().context == across);
}

TEST_CASE("each of two groups gets what the other gives") {
  auto const [left, size] = GENERATE(std::pair{1U, 2U}, std::pair{1U, 4U}, std::pair{3U, 5U});
  Network network{size};
  const Sides sides{left, size};
  network.run([&](Process& me) {
    const GroupPair pair = sides.pair(me);
    int sum = 0;
    for (Rank const rank : sides.side(!sides.on_left(me))) sum += number(rank);
    int value = number(me.rank());
    all_reduce(me, pair, room_of(value), {.function = add_ints});
    CHECK(value == sum);
    barrier(me, pair);

    std::vector<int> got(pair.remote_size());
    std::vector<Scatter> rooms;
    for (int& one : got) rooms.emplace_back(room_of(one));
    int mine = number(me.rank());
    const Gather given{Bytes{room_of(mine)}};
    all_gather(me, pair, given, rooms);
    const std::vector<Gather> parts(pair.remote_size(), given);
    std::vector<int> const before = std::exchange(got, std::vector<int>(got.size()));
    rooms.clear();
    for (int& one : got) rooms.emplace_back(room_of(one));
    all_to_all(me, pair, parts, rooms);
    CHECK(got == before);
    for (std::size_t i = 0; i < got.size(); ++i)
      CHECK(got[i] == number(sides.side(!sides.on_left(me))[i]));
  });
}

TEST_CASE("a root of one group has to do with the other group alone") {
  constexpr std::size_t size = 5;
  Network network{size};
  const Sides sides{2, size};
  bool const left_root = GENERATE(true, false);
  network.run([&](Process& me) {
    const GroupPair pair = sides.pair(me);
    bool const is_roots = sides.on_left(me) == left_root;
    std::size_t const last = sides.side(left_root).size() - 1;
    bool const is_root = is_roots && pair.local().me == last;
    PairRoot const root{.place = is_root    ? PairRoot::Place::here
                                 : is_roots ? PairRoot::Place::beside
                                            : PairRoot::Place::remote,
                        .member = last};
    int value = is_root ? 41 : 0;
    broadcast(me, pair, root, Scatter{room_of(value)});
    CHECK(value == (is_roots && !is_root ? 0 : 41));

    int sum = number(me.rank());
    reduce(me, pair, root, room_of(sum), {.function = add_ints});
    if (is_root) CHECK(sum == (left_root ? 2 + 3 + 4 : 0 + 1));
    if (is_roots && !is_root) CHECK(sum == number(me.rank()));

    std::vector<int> all(pair.remote_size(), -1);
    std::vector<Scatter> rooms;
    for (int& one : all) rooms.emplace_back(room_of(one));
    int mine = number(me.rank());
    gather(me, pair, root, Gather{Bytes{room_of(mine)}}, rooms);
    std::vector<Gather> parts;
    for (int& one : all) parts.emplace_back(Bytes{room_of(one)});
    int back = -1;
    scatter(me, pair, root, parts, Scatter{room_of(back)});
    CHECK(back == (is_roots ? -1 : number(me.rank())));
  });
}

TEST_CASE("groups in different collectives between them find out") {
  Network network{2, {.remote_readable = true, .packets_outlive_sender = true}};
  const Sides sides{1, 2};
  CHECK_THROWS_WITH(network.run([&](Process& me) {
    const GroupPair pair = sides.pair(me);
    int value = 0;
    if (sides.on_left(me)) return barrier(me, pair);
    all_reduce(me, pair, room_of(value), {.function = add_ints});
  }),
                    Catch::Contains("collectives do not match"));
}
