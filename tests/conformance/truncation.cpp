// SPDX-License-Identifier: BSD-3-Clause
/// A message longer than its receive is cut or refused, as the receive says, at any length.
#include <algorithm>

#include "tests/conformance/conformance.hpp"

namespace earl::conformance::truncation {

namespace {

void expect_cut(Process& me, std::size_t size, std::size_t room) {
  const Data whole = pattern(1, 0, size);
  Data got(room + 8, std::byte{0x55});
  const Completion done = me.receive(from(1, 1), Scatter{MutableBytes{got}.first(room)});
  EARL_EXPECT(done.truncated && !done.refused);
  EARL_EXPECT(done.envelope.length == size && done.delivered == room);
  EARL_EXPECT(
      std::equal(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(room), whole.begin()));
  EARL_EXPECT(
      std::all_of(got.end() - 8, got.end(), [](std::byte b) { return b == std::byte{0x55}; }));
}

void expect_refused(Process& me, std::size_t size, std::size_t room) {
  Data got(room, std::byte{0x55});
  MatchSpec spec = from(1, 2);
  spec.too_long = TooLong::refuse;
  const Completion done = me.receive(spec, Scatter{MutableBytes{got}});
  EARL_EXPECT(done.refused && done.delivered == 0 && done.envelope.length == size);
  EARL_EXPECT(
      std::all_of(got.begin(), got.end(), [](std::byte b) { return b == std::byte{0x55}; }));
  expect(me, from(1, 2), 1, 0, size);  // it stayed where it was
}

}  // namespace

void run(Process& me, int) {
  for (const std::size_t size : {std::size_t{10}, std::size_t{9'000}, std::size_t{3} << 20})
    for (const std::size_t room : {std::size_t{0}, std::size_t{1}, size - 1})
      for (const Mode mode : {Mode::standard, Mode::buffered}) {
        if (me.rank() == Rank{1}) {
          const Data data = pattern(1, 0, size);
          me.send(to(0, 1, mode), Bytes{data});
          me.send(to(0, 2, mode), Bytes{data});
        } else if (me.rank() == Rank{0}) {
          expect_cut(me, size, room);
          expect_refused(me, size, room);
        }
      }
}

}  // namespace earl::conformance::truncation
