// SPDX-License-Identifier: BSD-3-Clause
/// Cancelled sends: either no process ever sees the message, or it arrives whole.
#include <array>

#include "tests/conformance/conformance.hpp"

namespace earl::conformance::recalls {

namespace {

constexpr std::array<std::size_t, 4> sizes{0, 8, 20'000, 1 << 20};
constexpr int rounds = 50;

/// The message is not requested: it is cancelled, and the next one comes instead. Process 1 waits
/// in the barrier meanwhile, where it answers.
void unmatched(Process& me, AllRanks const& all, std::size_t size) {
  if (me.rank() == Rank{0}) {
    const Data first = pattern(0, 1, size);
    const RequestId sent = me.start_send(to(1, 1, Mode::synchronous), Bytes{first});
    EARL_EXPECT(me.cancel(sent));
    EARL_EXPECT(me.wait(sent).cancelled);
    me.send(to(1, 1, Mode::buffered), Bytes{pattern(0, 2, size)});
  }
  all.barrier();
  if (me.rank() == Rank{0}) return;
  expect(me, from(0, 1), 0, 2, size);
  EARL_EXPECT(!me.try_probe(from(0, 1)));
}

/// A race, each with a tag of its own: the receiver, too, reports whether it was cancelled.
void racing(Process& me, std::size_t size, int round) {
  int const tag = 100 + round;
  if (me.rank() == Rank{0}) {
    const Data data = pattern(0, round, size);
    const RequestId sent = me.start_send(to(1, tag, Mode::synchronous), Bytes{data});
    for (int i = 0; i < round % 5; ++i) me.idle();
    bool const back = me.cancel(sent);
    EARL_EXPECT(me.wait(sent).cancelled == back);
    me.send(to(1, 3), bytes_of(back));
    return;
  }
  Data got(size);
  const RequestId posted = me.start_receive(from(0, tag), Scatter{MutableBytes{got}});
  const Message word = me.take(from(0, 3));
  bool const back = word.body.data()[0] != std::byte{0};
  bool const taken = me.cancel(posted);
  EARL_EXPECT(taken == back);
  EARL_EXPECT(me.wait(posted).cancelled == back);
  if (!back) EARL_EXPECT(got == pattern(0, round, size));
}

}  // namespace

void run(Process& me, int n) {
  EARL_EXPECT(n == 2);
  const AllRanks all{me};
  for (const std::size_t size : sizes) {
    unmatched(me, all, size);
    for (int round = 0; round < rounds; ++round) {
      me.enter({.name = "race"});
      racing(me, size, round);
    }
    all.barrier();
  }
}

}  // namespace earl::conformance::recalls
