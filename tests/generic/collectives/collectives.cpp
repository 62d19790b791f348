// SPDX-License-Identifier: BSD-3-Clause
#include "generic/collectives/collectives.hpp"

#include <catch2/catch.hpp>

#include <numeric>

#include "generic/collectives/exchange.hpp"
#include "tests/generic/network.hpp"

using namespace earl;
using namespace earl::test;

namespace {

void add_doubles(void*, std::byte* into, std::byte const* from, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += sizeof(double)) {
    double a = 0;
    double b = 0;
    std::memcpy(&a, into + i, sizeof a);
    std::memcpy(&b, from + i, sizeof b);
    a += b;
    std::memcpy(into + i, &a, sizeof a);
  }
}

template <class T>
MutableBytes room_of(std::vector<T>& values) {
  return std::as_writable_bytes(std::span{values});
}

}  // namespace

TEST_CASE("collectives work for every size and root") {
  const std::size_t size = GENERATE(1U, 2U, 3U, 5U, 8U, 13U);
  const std::size_t root = GENERATE(0U, 1U, 4U) % size;
  bool const long_data = GENERATE(false, true);
  const std::size_t count = long_data ? 300 : 3;
  Network network{size, {.remote_readable = true, .packets_outlive_sender = true}};
  const AllRanks all{size};
  network.run([&](Process& me) {
    const Group group = all.group(me);
    std::vector<std::uint32_t> data(count, me.rank() == all.ranks[root] ? 77U : 0U);
    broadcast(me, group, root, room_of(data));
    CHECK(std::count(data.begin(), data.end(), 77U) == static_cast<std::ptrdiff_t>(count));

    std::vector<double> sum(count, static_cast<double>(group.me + 1));
    reduce(me, group, root, room_of(sum), {.function = add_doubles});
    if (group.me == root) CHECK(sum.back() == static_cast<double>(size * (size + 1) / 2));

    barrier(me, group);
    const std::vector<std::byte> mine(group.me * 10, static_cast<std::byte>(group.me));
    const Buffer gathered = all_gather(me, group, mine);
    REQUIRE(gathered.size() == 10 * size * (size - 1) / 2);
    std::size_t at = 0;
    for (std::size_t member = 0; member < size; ++member)
      for (std::size_t i = 0; i < member * 10; ++i)
        REQUIRE(gathered.data()[at++] == static_cast<std::byte>(member));
  });
}

TEST_CASE("a reduction gives the same bits to all members, every time") {
  constexpr std::size_t size = 7;
  const AllRanks all{size};
  std::vector<double> first;
  for (int run = 0; run < 3; ++run) {
    Network network{size};
    network.run([&](Process& me) {
      std::vector<double> value(1, 0.1 * static_cast<double>(index(me.rank())) + 1e-17);
      all_reduce(me, all.group(me), room_of(value), {.function = add_doubles});
      if (first.empty()) first = value;
      CHECK(std::memcmp(first.data(), value.data(), sizeof(double)) == 0);
    });
  }
}

TEST_CASE("no member leaves a barrier before all have come") {
  constexpr std::size_t size = 6;
  Network network{size};
  const AllRanks all{size};
  std::size_t inside = 0;
  network.run([&](Process& me) {
    for (std::size_t round = 1; round <= 5; ++round) {
      ++inside;
      barrier(me, all.group(me));
      CHECK(inside >= size * round);
    }
  });
}

TEST_CASE("collective traffic is invisible to wildcards and has no message ids") {
  Network network{2};
  const AllRanks all{2};
  network.run([&](Process& me) {
    barrier(me, all.group(me));
    if (me.rank() == Rank{0}) return me.send({.dest = Rank{1}}, {});
    CHECK(me.take({}).id == MessageId{Rank{0}, 0});
  });
}

TEST_CASE("a member that brings another size gets an error") {
  Network network{2};
  const AllRanks all{2};
  CHECK_THROWS_WITH(network.run([&](Process& me) {
    std::vector<double> value(me.rank() == Rank{0} ? 2 : 1);
    reduce(me, all.group(me), 0, room_of(value), {.function = add_doubles});
  }),
                    Catch::Contains("8 bytes"));
}

namespace {

/// 2x2 matrices under multiplication: joining members in another order is detected.
using Matrix = std::array<std::uint32_t, 4>;

Matrix product(Matrix const& a, Matrix const& b) {
  return {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
          a[2] * b[1] + a[3] * b[3]};
}

void multiply(void*, std::byte* into, std::byte const* from, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += sizeof(Matrix)) {
    Matrix a{};
    Matrix b{};
    std::memcpy(&a, into + at, sizeof a);
    std::memcpy(&b, from + at, sizeof b);
    a = product(a, b);
    std::memcpy(into + at, &a, sizeof a);
  }
}

Matrix matrix_of(std::size_t member) {
  auto const i = static_cast<std::uint32_t>(member);
  return {i + 1, i * i + 3, 2 * i + 1, 7};
}

/// The product of members `from` to `to`, not included.
Matrix product_of(std::size_t from, std::size_t to) {
  Matrix result = matrix_of(from);
  for (std::size_t i = from + 1; i < to; ++i) result = product(result, matrix_of(i));
  return result;
}

}  // namespace

TEST_CASE("reductions and scans join the members in their order, for each root") {
  const std::size_t size = GENERATE(1U, 2U, 3U, 6U, 8U, 13U);
  const std::size_t root = GENERATE(0U, 1U, 5U) % size;
  Network network{size, {.remote_readable = true, .packets_outlive_sender = true}};
  const AllRanks all{size};
  network.run([&](Process& me) {
    const Group group = all.group(me);
    std::vector<Matrix> value{matrix_of(group.me)};
    reduce(me, group, root, room_of(value), {.function = multiply});
    if (group.me == root) CHECK(value[0] == product_of(0, size));
    value = {matrix_of(group.me)};
    scan(me, group, room_of(value), {.function = multiply});
    CHECK(value[0] == product_of(0, group.me + 1));
    value = {matrix_of(group.me)};
    prefix(me, group, room_of(value), {.function = multiply});
    CHECK(value[0] == (group.me == 0 ? matrix_of(0) : product_of(0, group.me)));
  });
}

TEST_CASE("a reduction's bits do not depend on the root") {
  constexpr std::size_t size = 7;
  const AllRanks all{size};
  std::vector<double> first;
  for (std::size_t root = 0; root < size; ++root) {
    Network network{size};
    network.run([&](Process& me) {
      std::vector<double> value{0.1 * static_cast<double>(index(me.rank())) + 1e-17};
      reduce(me, all.group(me), root, room_of(value), {.function = add_doubles});
      if (index(me.rank()) != root) return;
      if (first.empty()) first = value;
      CHECK(std::memcmp(first.data(), value.data(), sizeof(double)) == 0);
    });
  }
}

TEST_CASE("every member gets its part of the root's data, equal or not") {
  const std::size_t size = GENERATE(1U, 3U, 8U);
  const std::size_t root = size / 2;
  const std::size_t length = GENERATE(0U, 4U, 300U);
  Network network{size, {.remote_readable = true, .packets_outlive_sender = true}};
  const AllRanks all{size};
  network.run([&](Process& me) {
    const Group group = all.group(me);
    std::vector<std::byte> whole(size * length);
    std::vector<Bytes> parts;
    for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = static_cast<std::byte>(i / length);
    for (std::size_t i = 0; i < size; ++i)
      parts.push_back(Bytes{whole}.subspan(i * length, length / (i + 1)));
    std::vector<std::byte> mine(length);
    scatter(me, group, root, Bytes{whole}, MutableBytes{mine});
    CHECK(mine == std::vector<std::byte>(length, static_cast<std::byte>(group.me)));
    const Buffer got = scatter(me, group, root, group.me == root ? parts : std::vector<Bytes>{});
    CHECK(got.size() == parts[group.me].size());
    CHECK(std::equal(parts[group.me].begin(), parts[group.me].end(), got.data()));
  });
}

TEST_CASE("in an all-to-all each member has different data for each other") {
  const std::size_t size = GENERATE(1U, 2U, 5U, 8U);
  const std::size_t length = GENERATE(0U, 1U, 300U);
  Network network{size, {.remote_readable = true, .packets_outlive_sender = true}};
  const AllRanks all{size};
  auto letter = [&](std::size_t from, std::size_t to) {
    return std::vector<std::byte>(length * (from + to), static_cast<std::byte>(16 * from + to));
  };
  network.run([&](Process& me) {
    const Group group = all.group(me);
    std::vector<std::byte> out(size * length);
    std::vector<std::byte> in(size * length);
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = static_cast<std::byte>(16 * group.me + i / length);
    all_to_all(me, group, Bytes{out}, MutableBytes{in});
    for (std::size_t i = 0; i < in.size(); ++i)
      REQUIRE(in[i] == static_cast<std::byte>(16 * (i / length) + group.me));

    std::vector<std::vector<std::byte>> letters;
    for (std::size_t i = 0; i < size; ++i) letters.push_back(letter(group.me, i));
    const std::vector<Bytes> parts(letters.begin(), letters.end());
    auto const got = all_to_all(me, group, parts);
    for (std::size_t i = 0; i < size; ++i) {
      auto const wanted = letter(i, group.me);
      REQUIRE(got[i].size() == wanted.size());
      CHECK(std::equal(wanted.begin(), wanted.end(), got[i].data()));
    }
  });
}

TEST_CASE("a reduction can be shared out among the members") {
  constexpr std::size_t size = 5;
  Network network{size, {.remote_readable = true, .packets_outlive_sender = true}};
  const AllRanks all{size};
  network.run([&](Process& me) {
    const Group group = all.group(me);
    std::vector<double> values(10, static_cast<double>(group.me));
    std::array<std::size_t, size> sizes{};
    for (std::size_t i = 0; i < size; ++i) sizes[i] = i * sizeof(double);
    std::vector<double> mine(group.me);
    reduce_scatter(me, group, room_of(values), sizes, {.function = add_doubles}, room_of(mine));
    CHECK(mine == std::vector<double>(group.me, 10.0));
  });
}

TEST_CASE("parts that do not fit the group are refused") {
  Network network{2};
  const AllRanks all{2};
  Process& me = network[0];
  const Group group = all.group(me);
  std::array<std::byte, 3> odd{};
  CHECK_THROWS_AS(all_to_all(me, group, Bytes{odd}, MutableBytes{odd}), Error);
  CHECK_THROWS_AS(all_to_all(me, group, std::vector<Bytes>(3)), Error);
  CHECK_THROWS_AS(scatter(me, group, 0, std::vector<Bytes>(1)), Error);
  CHECK_THROWS_AS(scatter(me, group, 0, Bytes{odd}, MutableBytes{odd}), Error);
}

namespace {

/// The exception of the first of two members that make different calls; empty: both have finished.
template <class First, class Second>
std::string mismatch(First first, Second second) {
  Network network{2, {.remote_readable = true, .packets_outlive_sender = true}};
  const AllRanks all{2};
  std::string said;
  auto const body = [&](Process& me) {
    me.enter({.name = me.rank() == Rank{0} ? "first" : "second"});
    try {
      if (me.rank() == Rank{0})
        first(me, all.group(me));
      else
        second(me, all.group(me));
    } catch (Error const& error) {
      said = error.what();
    }
  };
  try {
    network.run(body);
  } catch (Stuck const&) {  // the other one waits for ever
    CHECK_FALSE(said.empty());
  }
  return said;
}

auto reduction(Reduction how, ElementType what, std::size_t bytes = 8) {
  return [=](Process& me, Group const& group) {
    std::vector<double> data(bytes / sizeof(double));
    all_reduce(me, group, room_of(data),
               {.function = add_doubles, .reduction = how, .element = what});
  };
}

}  // namespace

TEST_CASE("members in different collectives find out, and both are named") {
  auto const sum = reduction(Reduction::sum, ElementType::real_8);
  auto const wait = [](Process& me, Group const& group) { barrier(me, group); };
  CHECK(mismatch(sum, sum).empty());
  CHECK(mismatch(wait, sum) ==
        "collectives do not match: process 0 is in first: a barrier, 0 bytes; process 1 has "
        "sent its part of an all-reduce (sum of 8-byte reals), 8 bytes; all members must make the "
        "same "
        "collective calls in the same order");
  CHECK_THAT(mismatch(sum, wait), Catch::Contains("process 1 has sent its part of a barrier"));
  CHECK_THAT(
      mismatch(sum, reduction(Reduction::maximum, ElementType::real_8)),
      Catch::Contains("(sum of 8-byte reals)") && Catch::Contains("(maximum of 8-byte reals)"));
  CHECK_THAT(mismatch(sum, reduction(Reduction::sum, ElementType::integer_8)),
             Catch::Contains("(sum of 8-byte integers)"));
  CHECK_THAT(mismatch(sum, reduction(Reduction::sum, ElementType::real_8, 16)),
             Catch::Contains("8 bytes; process 1") && Catch::Contains("16 bytes"));
}

TEST_CASE("parts go straight into memory with holes, of any length") {
  const std::size_t size = GENERATE(1U, 2U, 3U, 8U);
  const std::size_t unit = GENERATE(0U, 1U, 700U, 5000U);
  Network network{size, {.remote_readable = true, .packets_outlive_sender = true}};
  const AllRanks all{size};
  network.run([&](Process& me) {
    const Group group = all.group(me);
    // Part i of a member has i * unit ints, of which each second place is one.
    auto const value = [](std::size_t from, std::size_t to, std::size_t i) {
      return static_cast<std::uint32_t>(from * 10'007 + to * 101 + i);
    };
    std::vector<std::vector<std::uint32_t>> out(size), in(size);
    std::vector<Pattern> patterns;
    patterns.reserve(size);
    std::vector<Gather> parts;
    std::vector<Scatter> rooms;
    for (std::size_t member = 0; member < size; ++member) {
      for (std::size_t i = 0; i < member * unit; ++i)
        out[member].push_back(value(group.me, member, i));
      parts.push_back(std::as_bytes(std::span{out[member]}));
      in[member].resize(2 * group.me * unit + 1, 7);
      patterns.push_back(Pattern::of_blocks(4, group.me * unit, 8));
      rooms.emplace_back(reinterpret_cast<std::byte*>(in[member].data()), patterns.back());
    }
    all_to_all(me, group, parts, rooms);
    for (std::size_t member = 0; member < size; ++member)
      for (std::size_t i = 0; i < in[member].size(); ++i)
        REQUIRE(in[member][i] ==
                (i % 2 == 0 && i + 1 < in[member].size() ? value(member, group.me, i / 2) : 7));
    // As if all had sent the last member's part.
    std::vector<std::vector<std::uint32_t>> got(size,
                                                std::vector<std::uint32_t>((size - 1) * unit));
    std::vector<Scatter> places;
    for (auto& one : got) places.push_back(room_of(one));
    all_gather(me, group, parts.back(), places);
    for (std::size_t member = 0; member < size; ++member)
      for (std::size_t i = 0; i < got[member].size(); ++i)
        REQUIRE(got[member][i] == value(member, size - 1, i));
    std::vector<std::uint32_t> own(group.me * unit);
    scatter(me, group, size - 1, parts, Scatter{room_of(own)});
    for (std::size_t i = 0; i < own.size(); ++i) REQUIRE(own[i] == value(size - 1, group.me, i));
    gather(me, group, 0, parts.back(), places);
  });
}

TEST_CASE("for each way of the data, a reduction has the bits of the tree") {
  const std::size_t size = GENERATE(1U, 2U, 3U, 5U, 8U, 13U);
  Network network{size, {.remote_readable = true, .packets_outlive_sender = true}};
  const AllRanks all{size};
  network.run([&](Process& me) {
    const Group group = all.group(me);
    auto const fill = [&] {
      std::vector<double> data(1024 * size);
      for (std::size_t i = 0; i < data.size(); ++i)
        data[i] = 1.0 / (1.0 + static_cast<double>(group.me * 31 + i));
      return data;
    };
    auto tree = fill(), parts = fill(), scattered = fill();
    reduce(me, group, 0, room_of(tree), {.function = add_doubles});
    broadcast(me, group, 0, room_of(tree));
    all_reduce(me, group, room_of(parts), {.function = add_doubles, .unit = sizeof(double)});
    CHECK(parts == tree);
    std::vector<std::size_t> const sizes(size, 1024 * sizeof(double));
    std::vector<double> mine(1024);
    reduce_scatter(me, group, room_of(scattered), sizes, {.function = add_doubles}, room_of(mine));
    CHECK(std::equal(mine.begin(), mine.end(),
                     tree.begin() + static_cast<std::ptrdiff_t>(1024 * group.me)));
  });
}

TEST_CASE("members that see different roots find out") {
  auto const from = [](std::size_t root) {
    return [=](Process& me, Group const& group) {
      std::vector<double> data(1);
      reduce(me, group, root, room_of(data), {.function = add_doubles});
    };
  };
  CHECK_THAT(mismatch(from(0), from(1)), Catch::Contains("root 0") && Catch::Contains("root 1"));
}

TEST_CASE("a part that no member received is found by the next collective") {
  auto const from = [](std::size_t root) {
    return [=](Process& me, Group const& group) {
      std::vector<double> data(1);
      broadcast(me, group, root, room_of(data));
      barrier(me, group);
    };
  };
  CHECK_THAT(mismatch(from(0), from(1)),
             Catch::Contains("a barrier, 0 bytes; process 1 has sent its part of an earlier one, a "
                             "broadcast, root 1, 8 bytes"));
}

TEST_CASE("properties that may differ between members do") {
  auto const own = reduction(Reduction::unspecified, ElementType::unspecified);
  CHECK(mismatch(own, reduction(Reduction::sum, ElementType::real_8)).empty());
  auto const gather = [](std::size_t size) {
    return [=](Process& me, Group const& group) {
      earl::all_gather(me, group, std::vector<std::byte>(size));
      earl::gather(me, group, 1, std::vector<std::byte>(2 * size));
    };
  };
  CHECK(mismatch(gather(3), gather(300)).empty());
}

TEST_CASE("a collective is described in one word") {
  const CollectiveCall call{.kind = Collective::prefix,
                            .root = 0xffff,
                            .reduction = Reduction::logical_exclusive_or,
                            .element = ElementType::complex_16};
  auto const back = CollectiveCall::from(call.word());
  CHECK(back.kind == call.kind);
  CHECK(back.root == call.root);
  CHECK(back.reduction == call.reduction);
  CHECK(back.element == call.element);
  const CollectiveCall far{.kind = Collective::gather, .root = 100'000};
  CHECK(far.fits(CollectiveCall::from(far.word())));
  CHECK_FALSE(CollectiveCall{}.to_text().empty());
  CHECK_THAT(CollectiveCall::from(0xffff'ffff).to_text(), Catch::Contains("unknown"));
}

TEST_CASE("a member whose exchange fails cancels its sends") {
  Network network{3, {.remote_readable = true, .packets_outlive_sender = true}};
  const AllRanks all{3};
  const Tag tag{5};
  const Context context = context_of(Space::collective, 7);
  network.run([&](Process& me) {
    Group group = all.group(me);
    group.context = context;
    Exchange exchange{me, group, CollectiveScope{tag}, {.kind = Collective::all_gather}};
    std::vector<double> data(1000), room(1000);
    if (me.rank() == Rank{0}) {
      CHECK_THROWS_AS(exchange.send_receive(1, Bytes{room_of(data)}, 2, room_of(room)), Error);
      me.send({.dest = Rank{1}, .tag = Tag{1}}, {});
    } else if (me.rank() == Rank{1}) {
      me.receive({.source = Rank{0}, .tag = TagMatch::exactly(Tag{1})}, {});
      CHECK_FALSE(
          me.try_probe({.source = Rank{0}, .context = context, .tag = TagMatch::exactly(tag)}));
    } else {
      Exchange{me, group, CollectiveScope{tag}, {.kind = Collective::barrier}}.send(0, {});
    }
  });
}
