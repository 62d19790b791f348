// SPDX-License-Identifier: BSD-3-Clause
/// Synchronous sends complete when their receiver has the data; buffered ones never wait for it.
#include <array>

#include "tests/conformance/conformance.hpp"

namespace earl::conformance::synchronous {

namespace {

constexpr std::array<std::size_t, 6> sizes{0, 8, 64, 5'000, 300'000, 2 << 20};

/// Process 1 says when it is about to receive; no send of process 0 may be complete before.
void held_back(Process& me, std::size_t size) {
  if (me.rank() == Rank{0}) {
    const Data data = pattern(0, 1, size);
    const RequestId sent = me.start_send(to(1, 1, Mode::synchronous), Bytes{data});
    EARL_EXPECT(!me.test(sent));
    expect(me, from(1, 2), 1, 2, 8);
    EARL_EXPECT(!me.test(sent));
    me.send(to(1, 3), {});
    EARL_EXPECT(!me.wait(sent).lost);
    // Its receiver sent this before it received.
    EARL_EXPECT(me.try_take(from(1, 4)));
  } else {
    me.probe(from(0, 1));
    me.send(to(0, 2), Bytes{pattern(1, 2, 8)});
    me.take(from(0, 3));
    me.send(to(0, 4), {});
    expect(me, from(0, 1), 0, 1, size);
  }
}

/// Both sides at once, blocking, each with its receive posted.
void cross(Process& me, std::size_t size) {
  int const rank = number(me.rank());
  int const peer = 1 - rank;
  for (const Mode mode : {Mode::synchronous, Mode::ready}) {
    Data got(size);
    const RequestId posted = me.start_receive(from(peer, 5), Scatter{MutableBytes{got}});
    AllRanks{me}.barrier();
    me.send(to(peer, 5, mode), Bytes{pattern(rank, 5, size)});
    EARL_EXPECT(me.wait(posted).delivered == size);
    EARL_EXPECT(got == pattern(peer, 5, size));
  }
}

void to_oneself(Process& me, std::size_t size) {
  int const rank = number(me.rank());
  const Data data = pattern(rank, 6, size);
  const RequestId sent = me.start_send(to(rank, 6, Mode::synchronous), Bytes{data});
  EARL_EXPECT(!me.test(sent));
  MatchSpec buffered = from(rank, 6);
  buffered.buffered_only = true;
  EARL_EXPECT(!me.try_probe(buffered) && me.try_probe(from(rank, 6)));
  expect(me, from(rank, 6), rank, 6, size);
  EARL_EXPECT(me.test(sent));
}

}  // namespace

void run(Process& me, int n) {
  EARL_EXPECT(n == 2);
  for (const std::size_t size : sizes) {
    held_back(me, size);
    cross(me, size);
    to_oneself(me, size);
  }
}

}  // namespace earl::conformance::synchronous
