// SPDX-License-Identifier: BSD-3-Clause
#include "generic/base/layout.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace earl;

namespace {

/// A layout, and the offset of each of its bytes, found the slow way.
struct Both {
  MemoryLayout layout{};
  std::vector<std::ptrdiff_t> bytes{};
};

class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t limit) { return random_() % limit; }

  Both make(int depth) {
    if (depth == 0) return block(below(5) == 0 ? below(40) : std::size_t{1} << below(5));
    return below(2) == 0 ? repeat(make(depth - 1)) : list(depth - 1);
  }

 private:
  static Both block(std::size_t size) {
    Both both{.layout = MemoryLayout::block(size)};
    for (std::size_t i = 0; i < size; ++i) both.bytes.push_back(static_cast<std::ptrdiff_t>(i));
    return both;
  }

  static void append(Both& all, Both const& one, std::ptrdiff_t offset) {
    for (auto const byte : one.bytes) all.bytes.push_back(offset + byte);
  }

  Both repeat(Both const& one) {
    auto const count = below(4);
    auto const size = static_cast<std::ptrdiff_t>(one.bytes.size());
    auto const stride = below(3) == 0 ? size : static_cast<std::ptrdiff_t>(below(200)) - 60;
    Both all{.layout = one.layout.repeated(count, stride)};
    for (std::size_t i = 0; i < count; ++i)
      append(all, one, stride * static_cast<std::ptrdiff_t>(i));
    return all;
  }

  Both list(int depth) {
    Both all;
    std::ptrdiff_t offset = 0;
    auto const step = static_cast<std::ptrdiff_t>(below(30));
    for (auto left = below(6); left > 0; --left) {
      Both const one = below(3) == 0 ? make(depth) : block(8);
      all.layout.append(one.layout, offset);
      append(all, one, offset);
      offset += below(4) == 0 ? static_cast<std::ptrdiff_t>(below(100)) - 20 : step;
    }
    return all;
  }

  std::mt19937 random_;
};

/// Memory in which each byte differs from its neighbours; offset 0 is in its middle.
class LayoutMemory {
 public:
  explicit LayoutMemory(bool empty = false) : bytes_(2 * half) {
    for (std::size_t i = 0; i < bytes_.size() && !empty; ++i)
      bytes_[i] = static_cast<std::byte>(i * 7 + i / 251);
  }
  std::byte* origin() { return bytes_.data() + half; }
  std::byte& at(std::ptrdiff_t offset) { return *(origin() + offset); }
  bool operator==(LayoutMemory const&) const = default;

 private:
  static constexpr std::size_t half = 30'000;
  std::vector<std::byte> bytes_;
};

std::vector<std::ptrdiff_t> several(Both const& one, std::size_t count, std::ptrdiff_t extent) {
  std::vector<std::ptrdiff_t> all;
  for (std::size_t i = 0; i < count; ++i)
    for (auto const byte : one.bytes) all.push_back(extent * static_cast<std::ptrdiff_t>(i) + byte);
  return all;
}

void check_out(Pattern const& pattern, std::vector<std::ptrdiff_t> const& bytes, std::size_t at,
               std::size_t most) {
  LayoutMemory memory;
  std::vector<std::byte> got(most + 1, std::byte{0x55});
  auto const size = at < bytes.size() ? std::min(most, bytes.size() - at) : 0;
  REQUIRE(pattern.copy_out(memory.origin(), at, got.data(), most) == size);
  for (std::size_t i = 0; i < size; ++i) REQUIRE(got[i] == memory.at(bytes[at + i]));
  REQUIRE(got[size] == std::byte{0x55});
}

void check_in(Pattern const& pattern, std::vector<std::ptrdiff_t> const& bytes, std::size_t at,
              std::size_t most) {
  LayoutMemory mine(true);
  LayoutMemory expected(true);
  std::vector<std::byte> from(most);
  for (std::size_t i = 0; i < most; ++i) from[i] = static_cast<std::byte>(i + 1);
  auto const size = at < bytes.size() ? std::min(most, bytes.size() - at) : 0;
  for (std::size_t i = 0; i < size; ++i) expected.at(bytes[at + i]) = from[i];
  REQUIRE(pattern.copy_in(mine.origin(), at, from.data(), most) == size);
  REQUIRE(mine == expected);
}

}  // namespace

TEST_CASE("a layout copies the bytes it names, from any offset, for every kind of it") {
  for (unsigned seed = 0; seed < 400; ++seed) {
    Maker maker(seed);
    Both const one = maker.make(static_cast<int>(seed % 4));
    REQUIRE(one.layout.size() == one.bytes.size());
    auto const count = maker.below(4);
    auto const extent = static_cast<std::ptrdiff_t>(maker.below(300)) - 100;
    Pattern const pattern(one.layout, count, extent);
    auto const bytes = several(one, count, extent);
    REQUIRE(pattern.size() == bytes.size());
    for (int chunk = 0; chunk < 12; ++chunk) {
      auto const at = maker.below(bytes.size() + 2);
      auto const most = maker.below(bytes.size() + 2);
      check_out(pattern, bytes, at, most);
      check_in(pattern, bytes, at, most);
    }
  }
}

TEST_CASE("adjacent runs are contiguous, for every kind of layout") {
  auto const integer = MemoryLayout::block(4);
  CHECK(integer.contiguous() == 0);
  CHECK(integer.repeated(5, 4).contiguous() == 0);
  CHECK(integer.repeated(3, 4).repeated(2, 12).contiguous() == 0);
  CHECK_FALSE(integer.repeated(2, 8).contiguous());
  MemoryLayout pair;
  pair.append(integer, 8);
  pair.append(integer.repeated(2, 4), 12);
  CHECK(pair.contiguous() == 8);
  CHECK(Pattern(pair, 3, 12).contiguous() == 8);
  CHECK(Pattern(pair, 1, 999).contiguous() == 8);
  CHECK_FALSE(Pattern(pair, 2, 16).contiguous());
  CHECK(Pattern(pair, 0, 16).size() == 0);
}

TEST_CASE("no bytes, many times, are no bytes") {
  MemoryLayout const nothing = MemoryLayout().repeated(2'147'483'647, 8);
  CHECK(nothing.size() == 0);
  CHECK(Pattern(nothing, 2'147'483'647, 8).size() == 0);
  CHECK(Pattern(nothing, 2'147'483'647, 8).contiguous() == 0);
}

TEST_CASE("blocks at one stride are one run") {
  MemoryLayout list;
  for (std::ptrdiff_t i = 0; i < 100; ++i) list.append(MemoryLayout::block(8), 24 * i);
  CHECK(list.runs().size() <= 2);
  CHECK(MemoryLayout::block(8).repeated(4, 16).repeated(5, 64).runs().size() == 1);
}

TEST_CASE("a layout of forty levels is as good as one of two") {
  auto layout = MemoryLayout::block(2);
  for (int level = 0; level < 40; ++level) layout = layout.repeated(level % 4 == 0 ? 2 : 1, 1000);
  CHECK(layout.size() == 2048);
  std::vector<std::byte> memory(10'002, std::byte{1});
  std::vector<std::byte> out(2048);
  CHECK(Pattern(layout, 1, 0).copy_out(memory.data(), 0, out.data(), out.size()) == 2048);
  CHECK(std::ranges::count(out, std::byte{1}) == 2048);
}
