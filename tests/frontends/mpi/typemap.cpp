// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/typemap.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "generic/base/error.hpp"

using namespace earl;
using namespace earl::mpi;

namespace {

TypeMap const byte = TypeMap::basic({1, 1}, 1);
TypeMap const integer = TypeMap::basic({5, 4}, 4);
TypeMap const real = TypeMap::basic({11, 8}, 8);
TypeMap const lower = TypeMap::lower_marker();
TypeMap const upper = TypeMap::upper_marker();

struct Member {
  TypeMap const* type;
  int length;
  std::ptrdiff_t place;
};

TypeMap structure(std::vector<Member> const& members) {
  std::vector<TypeMap const*> types;
  std::vector<int> lengths;
  std::vector<std::ptrdiff_t> places;
  for (auto const& one : members) {
    types.push_back(one.type);
    lengths.push_back(one.length);
    places.push_back(one.place);
  }
  return TypeMap::structure(lengths, places, types);
}

void bounds(TypeMap const& type, std::ptrdiff_t from, std::ptrdiff_t to, std::uint64_t size) {
  CHECK(type.lower() == from);
  CHECK(type.upper() == to);
  CHECK(type.size() == size);
}

}  // namespace

TEST_CASE("constructors say how far the next value is") {
  bounds(integer, 0, 4, 4);
  bounds(TypeMap::contiguous(3, integer), 0, 12, 12);
  bounds(TypeMap::strided(3, 2, 16, integer), 0, 40, 24);
  bounds(TypeMap::strided(3, 2, -16, integer), -32, 8, 24);
  std::array const lengths{1, 0, 3};
  std::array<std::ptrdiff_t, 3> const places{40, -8, 8};
  bounds(TypeMap::indexed(lengths, places, integer), 8, 44, 16);
}

TEST_CASE("a structure ends where its strictest member may begin again") {
  bounds(structure({{&real, 1, 0}, {&byte, 1, 8}}), 0, 16, 9);
  bounds(structure({{&byte, 1, 4}, {&integer, 1, 8}}), 4, 12, 5);
  bounds(structure({{&byte, 3, 0}}), 0, 3, 3);
  auto const padded = structure({{&real, 1, 0}, {&byte, 1, 8}});
  bounds(TypeMap::contiguous(2, padded), 0, 32, 18);
}

TEST_CASE("bounds that a marker sets stay in all that is made of them, the widest wins") {
  auto const vector = TypeMap::strided(2, 1, 16, integer);
  bounds(vector, 0, 20, 8);
  auto const cut = structure({{&vector, 1, 0}, {&upper, 1, 16}});
  bounds(cut, 0, 16, 8);
  bounds(structure({{&cut, 1, 0}, {&upper, 1, 4}}), 0, 16, 8);
  bounds(structure({{&cut, 1, 0}, {&upper, 1, 24}}), 0, 24, 8);
  bounds(structure({{&cut, 1, 0}, {&real, 1, 64}}), 0, 16, 16);
  bounds(TypeMap::contiguous(3, cut), 0, 48, 24);
  auto const both = structure({{&lower, 1, -4}, {&integer, 1, 0}, {&upper, 1, 12}});
  bounds(both, -4, 12, 4);
  bounds(structure({{&both, 2, 0}, {&lower, 1, -1}}), -4, 28, 8);
  CHECK(both.true_lower() == 0);
  CHECK(both.true_extent() == 4);
}

TEST_CASE("nothing, as often as one likes, is nothing") {
  auto const none = TypeMap::contiguous(0, integer);
  bounds(none, 0, 0, 0);
  bounds(TypeMap::contiguous(2'147'483'647, none), 0, 0, 0);
  bounds(TypeMap::strided(0, 5, 8, integer), 0, 0, 0);
  bounds(structure({}), 0, 0, 0);
  CHECK(none.pattern(2'147'483'647).size() == 0);
  CHECK(none.signature().elements_in(0).whole);
}

TEST_CASE("a type of forty levels has the bytes of its innermost") {
  auto type = integer;
  for (int level = 0; level < 40; ++level)
    type = level % 8 == 0 ? TypeMap::strided(2, 1, 3 * type.extent(), type)
                          : structure({{&type, 1, 0}});
  CHECK(type.size() == 128);
  CHECK(type.signature().elements() == 32);
}

TEST_CASE("bounds that no address can have are refused") {
  auto const large = TypeMap::strided(2, 1, std::ptrdiff_t{1} << 62, integer);
  CHECK_THROWS_AS(TypeMap::contiguous(16, large), Error);
  auto deep = integer;
  auto const grow = [&] {
    for (int level = 0; level < 80; ++level) deep = TypeMap::contiguous(2, deep);
  };
  CHECK_THROWS_AS(grow(), Error);
}

TEST_CASE("elements of a part of a value are counted as far as they are whole") {
  auto const pair = structure({{&real, 1, 0}, {&integer, 2, 8}});
  auto const& signature = pair.signature();
  CHECK(signature.elements() == 3);
  auto const found = [&](std::uint64_t bytes) { return signature.elements_in(bytes); };
  CHECK(found(0).elements == 0);
  CHECK(found(8).elements == 1);
  CHECK(found(12).elements == 2);
  CHECK(found(12).whole);
  CHECK_FALSE(found(13).whole);
  CHECK(found(16 * 5 + 8).elements == 16);
  CHECK_FALSE(found(4).whole);
  auto const rows = TypeMap::contiguous(1'000'000, TypeMap::contiguous(1'000, pair));
  CHECK(rows.signature().elements_in(16'000'000 + 8).elements == 3'000'001);
}

TEST_CASE("equal sequences of elements have one hash, however they were built") {
  auto const pair = structure({{&real, 1, 0}, {&integer, 1, 8}});
  auto const again = structure({{&pair, 1, 64}, {&real, 1, 0}, {&integer, 1, 32}});
  auto const twice = TypeMap::strided(2, 1, 100, pair);
  CHECK(twice.signature().hash().value == again.signature().hash().value);
  CHECK(twice.signature().hash().value == pair.signature().hash().repeated(2).value);
  auto const swapped = structure({{&integer, 1, 0}, {&real, 1, 8}});
  CHECK(pair.signature().hash().value != swapped.signature().hash().value);
  CHECK(TypeMap::contiguous(7, integer).signature().hash().value ==
        integer.signature().hash().repeated(7).value);
  CHECK(integer.signature().hash().repeated(8).value != real.signature().hash().repeated(4).value);
  CHECK(pair.signature().hash_of(12 * 3 + 8).value ==
        pair.signature().hash().repeated(3).then(real.signature().hash()).value);
}

TEST_CASE("dense types are one piece, however many there are") {
  CHECK(integer.dense());
  CHECK(TypeMap::contiguous(5, TypeMap::strided(3, 2, 8, integer)).dense());
  CHECK_FALSE(TypeMap::strided(3, 1, 8, integer).dense());
  CHECK_FALSE(structure({{&real, 1, 0}, {&byte, 1, 8}}).dense());
  CHECK(structure({{&real, 1, 0}, {&integer, 1, 8}}).size() == 12);
  CHECK_FALSE(TypeMap::resized(integer, 0, 8).dense());
}

/// As on x86-64: 10 bytes of value in 16.
TEST_CASE("bytes that are part of no value leave as zeros") {
  auto const extended = TypeMap::basic({12, 16}, 16, Padding{16, 10});
  /// A character for each byte that leaves: of a value, or zero.
  auto const leaving = [](TypeMap const& type, std::size_t count) {
    std::vector<std::byte> memory(512, std::byte{1});
    std::string bytes(type.size() * count, '?');
    type.pattern(count).copy_out(memory.data(), 0, reinterpret_cast<std::byte*>(bytes.data()),
                                 bytes.size());
    for (char& one : bytes) one = one == 1 ? 'v' : '0';
    return bytes;
  };
  std::string const one = "vvvvvvvvvv000000";
  CHECK(leaving(extended, 2) == one + one);
  CHECK_FALSE(extended.pattern(1).contiguous());
  CHECK(leaving(TypeMap::strided(2, 1, 48, extended), 1) == one + one);
  CHECK(leaving(structure({{&extended, 1, 0}, {&integer, 1, 16}}), 2) ==
        one + "vvvv" + one + "vvvv");
  auto const mixed = structure({{&byte, 3, 0}, {&extended, 2, 16}, {&real, 1, 48}});
  CHECK(leaving(mixed, 2) == "vvv" + one + one + "vvvvvvvv" + "vvv" + one + one + "vvvvvvvv");
  auto const large = structure({{&byte, 64, 0}, {&extended, 1, 64}});
  CHECK(large.padding().unknown());
  CHECK(leaving(large, 1) == std::string(80, 'v'));
  CHECK(TypeMap::contiguous(100, real).padding().none());
}

TEST_CASE("a matrix travels transposed") {
  constexpr std::size_t n = 7;
  auto const column = TypeMap::strided(n, 1, n * 4, integer);
  auto const turned = TypeMap::strided(n, 1, 4, column);
  std::array<int, n * n> matrix{}, out{};
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = static_cast<int>(i);
  auto const pattern = turned.pattern(1);
  pattern.copy_out(reinterpret_cast<std::byte const*>(matrix.data()), 0,
                   reinterpret_cast<std::byte*>(out.data()), sizeof out);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) CHECK(out[i * n + j] == static_cast<int>(j * n + i));
}
