// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi1draft/translate.hpp"

#include <array>
#include <catch2/catch.hpp>

#include "tests/frontends/mpi1draft/failure.hpp"

using namespace earl;
using namespace earl::mpi1draft;

TEST_CASE("the first letter of a mode decides, in either case") {
  CHECK(manner_of("blocking") == Manner::blocking);
  CHECK(manner_of("B") == Manner::blocking);
  CHECK(manner_of("nonblocking") == Manner::nonblocking);
  CHECK(manner_of("Synchronized") == Manner::synchronized);
  for (char const* mode : {"", "x", " blocking"})
    CHECK(failure_of([&] { manner_of(mode); }) == Status::bad_mode);
  CHECK(failure_of([] { manner_of(nullptr); }) == Status::bad_mode);
}

TEST_CASE("-1 is any type, other negative types are masks") {
  CHECK(tags_of(-1).accepts(Tag{0x7fff'ffff}));
  CHECK(tags_of(static_cast<int>(0x8000'0005)).accepts(Tag{2}));
  CHECK_FALSE(tags_of(static_cast<int>(0x8000'0005)).accepts(Tag{1}));
  CHECK(failure_of([] { tags_of(static_cast<int>(0x8000'0000)); }) == Status::bad_type);
  CHECK(failure_of([] { tag_of(-1); }) == Status::bad_type);
}

TEST_CASE("strided blocks: sent ones may overlap, received ones may not") {
  std::array<char, 32> memory{};
  Strided const overlapping{.length = 4, .stride = 2, .count = 3};
  CHECK(blocks(static_cast<void const*>(memory.data()), overlapping).size() == 12);
  auto const sent = block_list(static_cast<void const*>(memory.data()), overlapping);
  CHECK(sent.size() == 3);
  CHECK(sent[2].data() == reinterpret_cast<std::byte const*>(memory.data() + 4));
  CHECK(failure_of([&] { blocks(static_cast<void*>(memory.data()), overlapping); }) ==
        Status::bad_stride);
  CHECK(blocks(static_cast<void*>(memory.data()), Strided{.length = 4, .stride = 0, .count = 1})
            .size() == 4);
}

TEST_CASE("listed blocks: pointers in C, offsets of either sign in Fortran") {
  std::array<char, 16> memory{};
  std::array<int, 2> const lengths{3, 0};
  std::array<void const*, 2> const places{memory.data() + 1, nullptr};
  auto const by_pointer = listed_bytes(lengths.data(), places.data(), 2);
  CHECK(by_pointer[0].data() == reinterpret_cast<std::byte const*>(memory.data() + 1));
  std::array<int, 2> const offsets{-4, 0};
  auto const by_offset = listed_room(memory.data() + 8, lengths.data(), offsets.data(), 2);
  CHECK(by_offset[0].data() == reinterpret_cast<std::byte*>(memory.data() + 4));
  std::array<int, 1> const negative{-1};
  CHECK(failure_of([&] { listed_bytes(negative.data(), places.data(), 1); }) == Status::bad_block);
}

TEST_CASE("every status has its words, and other numbers do too") {
  CHECK(error_text(0) == "no error");
  CHECK(error_text(12) == "too many group contexts");
  CHECK(error_text(17) != error_text(18));
  for (int const unknown : {-1, 19, 99}) CHECK(error_text(unknown) == "unknown error status");
}
