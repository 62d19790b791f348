// SPDX-License-Identifier: BSD-3-Clause
/// Collectives through a board's staging memory: the same bits as in messages, for each size of the
/// group and each length around a limit.
#include "generic/collectives/board_collectives.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstring>

#include "generic/contexts.hpp"
#include "tests/generic/collectives/floats.hpp"
#include "tests/generic/network.hpp"

using namespace earl;
using namespace earl::test;

namespace {

using Data = std::vector<std::byte>;

Combine const data_sums{
    .function = add_floats, .reduction = Reduction::sum, .element = ElementType::real_4};

/// Sums of these depend on the order of additions.
Data data_of_floats(std::size_t member, std::size_t bytes) {
  Data memory(bytes);
  for (std::size_t at = 0; at < bytes; at += sizeof(float)) {
    float const one = 1.0F / static_cast<float>(3 * member + 7 * (at % 4096) + 1);
    std::memcpy(memory.data() + at, &one, sizeof one);
  }
  return memory;
}

Data data_of_bytes(std::size_t from, std::size_t to, std::size_t length) {
  Data memory(length);
  for (std::size_t at = 0; at < length; ++at)
    memory[at] = static_cast<std::byte>(from * 31 + to * 7 + at);
  return memory;
}

void append(Data& all, Data const& more) { all.insert(all.end(), more.begin(), more.end()); }

/// One after the other, of the lengths.
std::vector<Scatter> rooms_in(Data& memory, std::vector<std::size_t> const& lengths) {
  std::vector<Scatter> rooms;
  std::size_t at = 0;
  for (auto const length : lengths) {
    rooms.emplace_back(MutableBytes{memory}.subspan(at, length));
    at += length;
  }
  return rooms;
}

/// A member's results of all collectives with about `bytes` bytes in all, twice.
void run_all(Process& me, Group const& group, std::size_t bytes, Data& results) {
  std::size_t const n = group.size();
  for (std::size_t round = 0; round < 2; ++round) {
    Data floats = data_of_floats(group.me + round, bytes - bytes % sizeof(float));
    all_reduce(me, group, floats, data_sums);
    append(results, floats);

    std::vector<std::size_t> lengths(n, bytes / n);
    lengths[round % n] += bytes % n;
    Data gathered(bytes);
    Data const own = data_of_bytes(group.me, round, lengths[group.me]);
    all_gather(me, group, Gather{Bytes{own}}, rooms_in(gathered, lengths));
    append(results, gathered);

    std::size_t const length = bytes / n;
    Data equal(length * n);
    all_gather(me, group, Bytes{own}.first(length), equal);
    append(results, equal);
    Data out, in(length * n);
    for (std::size_t to = 0; to < n; ++to) append(out, data_of_bytes(group.me, to, length));
    all_to_all(me, group, Bytes{out}, MutableBytes{in});
    append(results, in);

    std::size_t const root = round % n;
    Data cast = group.me == root ? data_of_bytes(root, round, bytes) : Data(bytes);
    broadcast(me, group, root, cast);
    append(results, cast);
    // A member that is not the root goes on, and must not write what others still read.
    Data reduced = data_of_floats(group.me, sizeof(float));
    reduce(me, group, 0, reduced, data_sums);
    reduce(me, group, 0, reduced, data_sums);
  }
}

struct Outcome {
  std::vector<Data> results{};
  std::size_t wakes = 0;
};

Outcome outcome(std::size_t size, std::size_t bytes, Traits const& traits) {
  Network network{size, traits};
  AllRanks const all{size};
  Outcome outcome{std::vector<Data>(size)};
  network.run(
      [&](Process& me) { run_all(me, all.group(me), bytes, outcome.results[index(me.rank())]); });
  outcome.wakes = network.board_wakes();
  return outcome;
}

Traits with(Traits traits, std::size_t boards) {
  traits.boards = boards;
  return traits;
}

std::string failure_of(std::function<void(Process&, Group const&)> const& body) {
  constexpr std::size_t size = 3;
  Network network{size, {.boards = 1}};
  AllRanks const all{size};
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

TEST_CASE("boards and staging memory give the bits that messages give") {
  auto const [size, bytes] = GENERATE(table<std::size_t, std::size_t>(
      {{2, 0},         {2, 8},      {2, 47},        {2, 48},        {2, 49},
       {2, 30'000},    {3, 0},      {3, 9},         {3, 300},       {3, 5000},
       {4, 48},        {4, 49},     {4, 30'000},    {7, 300},       {8, 5000},
       {9, 5000},      {16, 300},   {16, 5000},     {33, 8},        {33, 5000},
       {2, 1'100'001}, {3, 70'000}, {5, 1'100'001}, {9, 1'100'001}, {2, 5'000'000}}));
  auto const staged = outcome(size, bytes, with(exposing, 1));
  auto const by_messages = outcome(size, bytes, exposing);
  CHECK(staged.wakes > 0);
  CHECK(by_messages.wakes == 0);
  CHECK(staged.results == by_messages.results);
}

TEST_CASE("parts may be in several pieces") {
  constexpr std::size_t size = 3;
  constexpr std::size_t half = 20'000;
  Network network{size, {.boards = 1}};
  AllRanks const all{size};
  network.run([&](Process& me) {
    Group const group = all.group(me);
    Data const own = data_of_bytes(group.me, 5, 2 * half);
    std::array const pieces{Bytes{own}.first(half), Bytes{own}.subspan(half)};
    bool const in_pieces = group.me == 1;
    Data gathered(2 * half * size);
    all_gather(me, group, in_pieces ? Gather{std::span<const Bytes>{pieces}} : Gather{Bytes{own}},
               rooms_in(gathered, std::vector<std::size_t>(size, 2 * half)));
    for (std::size_t member = 0; member < size; ++member) {
      Data const wanted = data_of_bytes(member, 5, 2 * half);
      CHECK(std::equal(wanted.begin(), wanted.end(),
                       gathered.begin() + static_cast<std::ptrdiff_t>(member * 2 * half)));
    }
  });
}

TEST_CASE("a reduction may have its result elsewhere") {
  std::size_t const size = GENERATE(2U, 3U, 4U, 6U);
  std::size_t const bytes = GENERATE(8U, 400U, 20'000U, 100'000U);
  std::size_t const boards = GENERATE(0U, 1U);
  Network network{size, with(exposing, boards)};
  AllRanks const all{size};
  network.run([&](Process& me) {
    Data const own = data_of_floats(index(me.rank()), bytes);
    Data const before = own;
    Data result(bytes), in_place = own;
    all_reduce(me, all.group(me), Bytes{own}, result, data_sums);
    all_reduce(me, all.group(me), in_place, data_sums);
    CHECK(own == before);
    CHECK(result == in_place);
  });
}

TEST_CASE("groups whose members cannot share memory exchange messages") {
  std::size_t const bytes = 5000;
  std::size_t const refused = GENERATE(0U, 2U);
  auto traits = with(exposing, 1);
  traits.without_common_memory = refused;
  CHECK(outcome(3, bytes, traits).results == outcome(3, bytes, exposing).results);
}

TEST_CASE("members that are processes find the staging memory of the first one") {
  auto traits = with(exposing, 1);
  traits.one_address_space = false;
  CHECK(outcome(3, 5000, traits).results == outcome(3, 5000, exposing).results);
}

TEST_CASE("a user's unit is never cut") {
  static constexpr std::size_t unit = 12;
  auto const adds = [](void*, std::byte* into, std::byte const* from, std::size_t bytes) {
    if (bytes % unit != 0) throw Error("{} bytes", bytes);
    test::add_floats(nullptr, into, from, bytes);
  };
  Combine const combine{.function = adds, .unit = unit};
  for (std::size_t const size : {2U, 3U, 7U}) {
    Network network{size, {.boards = 1}};
    AllRanks const all{size};
    network.run([&](Process& me) {
      Data data = data_of_floats(1, unit * 30'001);
      CHECK_NOTHROW(all_reduce(me, all.group(me), data, combine));
    });
    CHECK(network.board_wakes() > 0);
  }
}

TEST_CASE("members with other lengths are reported with both") {
  using Catch::Contains;
  auto const reduces = [](Process& me, Group const& group, std::size_t length) {
    Data data(length);
    all_reduce(me, group, data, data_sums);
  };
  auto const failure = failure_of([&](Process& me, Group const& group) {
    reduces(me, group, group.me == 1 ? 70'000 : 80'000);
  });
  CHECK_THAT(failure, Contains("70000 bytes") && Contains("80000 bytes"));

  auto const gathers = [](Process& me, Group const& group, std::size_t first, std::size_t second) {
    std::vector<std::size_t> const lengths{first, second, 8};
    Data room(first + second + 8);
    Data const own(lengths[group.me]);
    all_gather(me, group, Gather{Bytes{own}}, rooms_in(room, lengths));
  };
  for (std::size_t const scale : {1U, 1000U}) {
    auto const text = failure_of([&](Process& me, Group const& group) {
      if (group.me == 1) return gathers(me, group, 2 * scale, 8 * scale);
      gathers(me, group, 6 * scale, 4 * scale);
    });
    CHECK_THAT(text, Contains(std::to_string(8 * scale) + " bytes") &&
                         Contains(std::to_string(4 * scale) + " bytes"));
  }
}
