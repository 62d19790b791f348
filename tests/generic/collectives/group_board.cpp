// SPDX-License-Identifier: BSD-3-Clause
/// Short collectives on a board: the same results as in messages, and the same mistakes found.
#include "generic/collectives/group_board.hpp"

#include <catch2/catch.hpp>

#include <cstring>

#include "generic/contexts.hpp"
#include "generic/engine.hpp"
#include "tests/generic/collectives/floats.hpp"
#include "tests/generic/network.hpp"

using namespace earl;
using namespace earl::test;

namespace {

constexpr Context apart = context_of(Space::collective, 9);

template <class T>
MutableBytes room_of(T& value) {
  return std::as_writable_bytes(std::span{&value, 1});
}

Combine const sum_of_floats{
    .function = add_floats, .reduction = Reduction::sum, .element = ElementType::real_4};
Combine const product_of_floats{
    .function = add_floats, .reduction = Reduction::product, .element = ElementType::real_4};

using Floats = std::array<float, 12>;
static_assert(sizeof(Floats) == CollectiveBoard::most_bytes);

/// Sums whose bits depend on the order of additions.
Floats floats_of(std::size_t member, int round) {
  Floats floats;
  for (std::size_t i = 0; i < floats.size(); ++i)
    floats[i] = 1.0F / static_cast<float>(3 * member + 7 * i + static_cast<std::size_t>(round) + 1);
  return floats;
}

/// All results of all members, and the wakes at boards that it took.
std::pair<std::vector<Floats>, std::size_t> results(std::size_t size, std::size_t boards) {
  Network network{size, {.boards = boards}};
  const AllRanks all{size};
  constexpr int rounds = 20;
  std::vector<Floats> results(size * rounds * 3);
  network.run([&](Process& me) {
    Group const group = all.group(me);
    for (int round = 0; round < rounds; ++round) {
      auto* const mine =
          &results[(index(me.rank()) * rounds + static_cast<std::size_t>(round)) * 3];
      std::size_t const root = static_cast<std::size_t>(round) % size;
      mine[0] = floats_of(group.me, round);
      all_reduce(me, group, room_of(mine[0]), sum_of_floats);
      Floats reduced = floats_of(group.me, round + 1);
      reduce(me, group, root, room_of(reduced), sum_of_floats);
      if (group.me == root) mine[1] = reduced;
      if (group.me == root) mine[2] = floats_of(root, round + 2);
      broadcast(me, group, root, room_of(mine[2]));
      if (round % 3 == 0) barrier(me, group);
    }
  });
  return {results, network.board_wakes()};
}

/// Runs `body` in each of three processes with a board; gives the first sentence of failure.
std::string failure_of(std::size_t size, std::function<void(Process&, Group const&)> const& body) {
  Network network{size, {.boards = 4}};
  const AllRanks all{size};
  std::string sentence;
  network.run([&](Process& me) {
    try {
      body(me, all.group(me));
    } catch (Error const& error) {
      if (sentence.empty()) sentence = error.what();
    } catch (Stuck const&) {  // it waits for the one that has failed
    }
  });
  return sentence;
}

}  // namespace

TEST_CASE("a board gives the bits that messages give, for each size and root") {
  const std::size_t size = GENERATE(2U, 3U, 4U, 5U, 8U, 13U, 33U);
  auto const [by_board, wakes] = results(size, 1);
  auto const [by_messages, none] = results(size, 0);
  CHECK(wakes > 0);
  CHECK(none == 0);
  CHECK(std::memcmp(by_board.data(), by_messages.data(), by_board.size() * sizeof(Floats)) == 0);
}

TEST_CASE("larger groups and groups without a board go by messages") {
  const std::size_t size = GENERATE(2U, 65U);
  Network network{size, {.boards = size == 2 ? 1U : 0U}};
  const AllRanks all{size};
  network.run([&](Process& me) {
    if (size == 2) {
      barrier(me, all.group(me));
      barrier(me, all.group(me, apart));
    }
    std::array<float, 13> longer{};
    auto const group = all.group(me, size == 2 ? apart : context_of(Space::collective, 0));
    all_reduce(me, group, room_of(longer), sum_of_floats);
    broadcast(me, group, 0, room_of(longer));
    barrier(me, group);
  });
  CHECK(network.board_wakes() == (size == 2 ? 2 : 0));
}

TEST_CASE("no member leaves a board before all have come") {
  const std::size_t size = GENERATE(2U, 6U);
  Network network{size, {.boards = 1}};
  const AllRanks all{size};
  std::size_t inside = 0;
  network.run([&](Process& me) {
    for (std::size_t round = 1; round <= 50; ++round) {
      ++inside;
      barrier(me, all.group(me));
      CHECK(inside >= size * round);
    }
  });
}

TEST_CASE("a root runs ahead of its readers by the slots, and reducers by two operations") {
  Network network{3, {.boards = 1}};
  const AllRanks all{3};
  network.run([&](Process& me) {
    Group const group = all.group(me);
    for (int i = 0; i < 100; ++i) {
      int value = group.me == 0 ? i : -1;
      broadcast(me, group, 0, room_of(value));
      CHECK(value == i);
    }
    for (int i = 0; i < 100; ++i) {
      auto values = floats_of(group.me, i);
      reduce(me, group, 2, room_of(values), sum_of_floats);
      if (group.me == 2) CHECK(values[0] > floats_of(2, i)[0]);
    }
    barrier(me, group);
  });
}

TEST_CASE("messages arrive while a member is always the last at its board") {
  Network network{2, {.boards = 1}};
  const AllRanks all{2};
  network.run([&](Process& me) {
    if (me.rank() == Rank{0}) me.send({.dest = Rank{1}, .tag = Tag{3}}, {});
    for (int i = 0; i < 20; ++i) barrier(me, all.group(me));
    if (me.rank() == Rank{1}) CHECK(me.try_probe({.tag = TagMatch::exactly(Tag{3})}));
  });
}

TEST_CASE("members in different collectives are reported, on the board and beside it") {
  const std::size_t size = GENERATE(2U, 3U);
  auto const mixed = [&](std::function<void(Process&, Group const&)> const& first,
                         std::function<void(Process&, Group const&)> const& others) {
    return failure_of(size, [&](Process& me, Group const& group) {
      (group.me == 0 ? first : others)(me, group);
      barrier(me, group);
    });
  };
  auto const sums = [](Process& me, Group const& group) {
    float value = 1;
    all_reduce(me, group, room_of(value), sum_of_floats);
  };
  auto const products = [](Process& me, Group const& group) {
    float value = 1;
    all_reduce(me, group, room_of(value), product_of_floats);
  };
  auto const long_sums = [](Process& me, Group const& group) {
    std::array<float, 100> values{};
    all_reduce(me, group, room_of(values), sum_of_floats);
  };
  auto const casts = [](Process& me, Group const& group) {
    float value = 1;
    broadcast(me, group, 0, room_of(value));
  };
  auto const casts_of_1 = [](Process& me, Group const& group) {
    float value = 1;
    broadcast(me, group, 1, room_of(value));
  };
  auto const long_casts = [](Process& me, Group const& group) {
    std::array<float, 100> values{};
    broadcast(me, group, 0, room_of(values));
  };
  auto const exchanges = [](Process& me, Group const& group) {
    std::vector<std::byte> out(group.size()), in(group.size());
    all_to_all(me, group, out, in);
  };
  auto const meets = [](Process& me, Group const& group) { barrier(me, group); };
  auto const nothing = [](Process&, Group const&) {};
  using Catch::Contains;
  CHECK_THAT(mixed(sums, products), Contains("sum of 4-byte reals") && Contains("product"));
  CHECK_THAT(mixed(meets, casts), Contains("a barrier") && Contains("a broadcast, root 0"));
  CHECK_THAT(mixed(casts, casts_of_1), Contains("collectives do not match"));
  CHECK_THAT(mixed(casts, long_casts), Contains("a broadcast, root 0, 400 bytes"));
  CHECK_THAT(mixed(long_casts, casts), Contains("4 bytes") && Contains("400 bytes"));
  CHECK_THAT(mixed(sums, long_sums), Contains("4 bytes") && Contains("400 bytes"));
  CHECK_THAT(mixed(casts, exchanges), Contains("collectives do not match"));
  CHECK_THAT(mixed(exchanges, casts), Contains("collectives do not match"));
  CHECK_THAT(mixed(meets, exchanges), Contains("a barrier") && Contains("an all-to-all"));
  CHECK_THAT(mixed(casts, nothing), Contains("collectives do not match"));
  CHECK_THAT(mixed(sums, sums), Catch::Equals(""));
}

namespace {

/// For a member that only this test knows of.
class NoBoards final : public Boards {
 public:
  std::byte* board(std::uint64_t, std::span<const Rank>) override { return nullptr; }
  void leave_board(std::uint64_t, std::size_t) override {}
  Awaited await_word(Awaited const&) override { return {}; }
  void fence() override {}
  void wake_members(std::span<const Rank>) override {}
  void board_damaged() override { throw MemoryDamage("a board"); }
};

}  // namespace

TEST_CASE("survivors end a collective whose last member has been killed behind its arrival") {
  constexpr std::size_t size = 3;
  Network network{size, {.boards = 1}};
  const AllRanks all{size};
  std::vector<float> results;
  network.run([&](Process& me) {
    if (me.rank() != Rank{2}) {
      float value = me.rank() == Rank{0} ? 1.5F : 2.0F;
      all_reduce(me, all.group(me), room_of(value), sum_of_floats);
      results.push_back(value);
      return;
    }
    // The others' turns come between these: they wait at the board.
    for (int i = 0; i < 50; ++i) me.idle();
    NoBoards boards;
    CollectiveBoard last{boards, network.board(), size, 2};
    CollectiveCall const call{.kind = Collective::all_reduce,
                              .reduction = Reduction::sum,
                              .element = ElementType::real_4};
    float value = 4;
    auto const own = last.begin(call.word(), 0, sizeof value, CollectiveBoard::Place::here);
    CHECK(last.enter(own, std::as_bytes(std::span{&value, 1})));
    CHECK(results.empty());
  });
  CHECK(results == std::vector<float>{7.5F, 7.5F});
}

TEST_CASE("boards of contexts that all members have removed are given back") {
  constexpr std::size_t size = 3;
  constexpr std::uint64_t contexts = 5;
  Network network{size, {.boards = contexts + 1}};
  const AllRanks all{size};
  std::vector<float> results;
  network.run([&](Process& me) {
    for (std::uint64_t i = 1; i <= contexts; ++i) {
      auto group = all.group(me);
      group.context = context_of(Space::collective, i);
      float value = static_cast<float>(i);
      all_reduce(me, group, room_of(value), sum_of_floats);
      all_reduce(me, group, room_of(value), sum_of_floats);
      me.contexts().remove(group.context);
      if (me.rank() == Rank{1}) results.push_back(value);
    }
  });
  CHECK(results == std::vector<float>{9, 18, 27, 36, 45});
  CHECK(network.board_wakes() > 0);
  CHECK(network.boards() == 0);
}

TEST_CASE("a function that fails at the last member fails at all") {
  Combine const fails{.function = [](void*, std::byte*, std::byte const*,
                                     std::size_t) { throw Error("no such number"); },
                      .reduction = Reduction::sum};
  std::size_t failures = 0;
  failure_of(3, [&](Process& me, Group const& group) {
    float value = 1;
    try {
      all_reduce(me, group, room_of(value), fails);
    } catch (Error const&) {
      ++failures;
    }
  });
  CHECK(failures == 3);
}

TEST_CASE("a damaged board ends the collective") {
  const std::size_t size = GENERATE(2U, 3U);
  Network network{size, {.boards = 1}};
  const AllRanks all{size};
  std::size_t damaged = 0;
  network.run([&](Process& me) {
    try {
      barrier(me, all.group(me));
      if (me.rank() == Rank{0}) network.damage_boards();
      barrier(me, all.group(me));
      float value = 1;
      broadcast(me, all.group(me), 0, room_of(value));
    } catch (MemoryDamage const&) {
      ++damaged;
    } catch (Error const&) {
    } catch (Stuck const&) {
    }
  });
  CHECK(damaged > 0);
}
