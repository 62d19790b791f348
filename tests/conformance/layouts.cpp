// SPDX-License-Identifier: BSD-3-Clause
/// Memory in many places, sent and received: the data arrives as from one piece into one piece.
#include <cstring>

#include "tests/conformance/conformance.hpp"
#include "tests/sanitized.hpp"

namespace earl::conformance::layouts {

namespace {

constexpr std::size_t element = sizeof(double);

/// Memory that holds `data` spread by a layout; the gaps stay unchanged.
class Spread {
 public:
  Spread(MemoryLayout layout, std::size_t count, std::ptrdiff_t extent)
      : layout_(std::move(layout)),
        pattern_(layout_, count, extent),
        memory_(static_cast<std::size_t>(extent) * count + reach, gap) {}

  Gather gather(Data const& data) {
    pattern_.copy_in(memory_.data(), 0, data.data(), data.size());
    return {std::as_const(memory_).data(), pattern_};
  }
  Scatter scatter() { return {memory_.data(), pattern_}; }
  Data contents(std::size_t size) const {
    Data data(size);
    pattern_.copy_out(memory_.data(), 0, data.data(), size);
    return data;
  }
  std::size_t size() const { return pattern_.size(); }
  /// No byte has changed but those of the first `size`.
  bool kept(std::size_t size) {
    Data const nothing(size, gap);
    pattern_.copy_in(memory_.data(), 0, nothing.data(), size);
    return memory_.front() == gap &&
           std::memcmp(memory_.data(), memory_.data() + 1, memory_.size() - 1) == 0;
  }

 private:
  static constexpr std::size_t reach = 4096;
  static constexpr std::byte gap{0x5a};

  MemoryLayout layout_;
  Pattern pattern_;
  Data memory_;
};

/// `elements` doubles, a multiple of 8: each second; rows of four; pieces here and there.
Spread spread(int kind, std::size_t elements) {
  auto const one = MemoryLayout::block(element);
  if (kind == 0) return {one, elements, 2 * element};
  if (kind == 1) return {one.repeated(4, element).repeated(2, 8 * element), elements / 8, 128};
  MemoryLayout pieces;
  for (std::ptrdiff_t const at : {96, 8, 16, 64, 0, 32, 48, 80}) pieces.append(one, at);
  return {pieces, elements / 8, 104};
}

void one_way(Process& me, std::size_t elements, int kinds, Mode mode) {
  Spread mine = spread(kinds % 3, elements);
  std::size_t const size = mine.size();
  Data const data = pattern(0, kinds, size);
  if (me.rank() == Rank{0}) {
    if (kinds % 2 == 0) return me.send(to(1, kinds, mode), mine.gather(data));
    const RequestId sent = me.start_send(to(1, kinds, mode), mine.gather(data));
    me.wait(sent);
    return;
  }
  Spread room = spread(kinds / 3, elements);
  Completion const got = me.receive(from(0, kinds), room.scatter());
  EARL_EXPECT(got.delivered == size && !got.truncated);
  EARL_EXPECT(room.contents(size) == data && room.kept(size));
}

/// Both at once, the receives posted before.
void cross(Process& me, std::size_t elements) {
  int const peer = 1 - number(me.rank());
  Spread room = spread(2, elements);
  Spread mine = spread(0, elements);
  Data const data = pattern(number(me.rank()), 20, mine.size());
  const RequestId posted = me.start_receive(from(peer, 20), room.scatter());
  const RequestId sent = me.start_send(to(peer, 20), mine.gather(data));
  EARL_EXPECT(me.wait(posted).delivered == room.size());
  me.wait(sent);
  EARL_EXPECT(room.contents(room.size()) == pattern(peer, 20, room.size()));
}

/// A message and room for a part of it that ends in the middle of an element, or for more.
void unequal(Process& me, std::size_t elements) {
  std::size_t const size = elements * element;
  if (me.rank() == Rank{0}) {
    me.send(to(1, 30), Bytes{pattern(0, 30, size - 3)});
    me.send(to(1, 31), Bytes{pattern(0, 31, size + 8 * element + 3)});
    Spread mine = spread(1, elements);
    me.send(to(1, 32), mine.gather(pattern(0, 32, size)));
    return;
  }
  Spread room = spread(2, elements);
  EARL_EXPECT(me.receive(from(0, 30), room.scatter()).delivered == size - 3);
  EARL_EXPECT(room.contents(size - 3) == pattern(0, 30, size - 3) && room.kept(size - 3));
  MatchSpec cut = from(0, 31);
  Completion const got = me.receive(cut, room.scatter());
  Data all = pattern(0, 31, size + 8 * element + 3);
  all.resize(size);
  EARL_EXPECT(got.truncated && got.delivered == size && room.contents(size) == all);
  expect(me, from(0, 32), 0, 32, size);
}

void to_oneself(Process& me, std::size_t elements) {
  int const rank = number(me.rank());
  Spread mine = spread(0, elements);
  Spread room = spread(1, elements);
  Data const data = pattern(rank, 40, mine.size());
  me.send(to(rank, 40, Mode::buffered), mine.gather(data));
  me.receive(from(rank, 40), room.scatter());
  EARL_EXPECT(room.contents(room.size()) == data);
}

}  // namespace

void run(Process& me, int n) {
  EARL_EXPECT(n == 2);
  for (std::size_t const elements : {8U, 64U, 1'024U, 4'096U, testing::times(400'000U, 60'000U)}) {
    for (int kinds = 0; kinds < 9; ++kinds)
      for (Mode const mode : {Mode::standard, Mode::buffered, Mode::synchronous})
        one_way(me, elements, kinds, mode);
    cross(me, elements);
    unequal(me, elements);
    to_oneself(me, elements);
  }
}

}  // namespace earl::conformance::layouts
