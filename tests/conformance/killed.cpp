// SPDX-License-Identifier: BSD-3-Clause
/// A killed process takes none of its sent messages along, and no process waits for it for ever.
#include "generic/exec_client.hpp"
#include "tests/conformance/conformance.hpp"

namespace earl::conformance::killed {

namespace {

constexpr int count = 2'000;

/// Where nothing outlives its sender, the receiver is notified instead of waiting for ever.
bool lost(Process& me, MatchSpec const& spec, std::size_t size) {
  Data room(size);
  return me.receive(spec, Scatter{MutableBytes{room}}).lost;
}

void send_and_be_killed(Process& me) {
  for (int i = 0; i < count; ++i) me.send(to(0, 1, Mode::buffered), Bytes{pattern(1, i, 200)});
  me.send(to(0, 2, Mode::buffered), Bytes{pattern(1, 0, 4 << 20)});
  me.send(to(0, 3, Mode::buffered), Bytes{});
  me.take(tagged(99));  // never sent
}

}  // namespace

void run(Process& me, int) {
  if (me.rank() == Rank{1}) send_and_be_killed(me);
  if (me.rank() != Rank{0}) return;
  me.probe(from(1, 3));
  EARL_EXPECT(me.exec().signal({.target = Rank{1}, .signal = 9}).known);
  wait_for_end(me, 1);
  for (int i = 0; i < count; ++i) expect(me, from(1, 1), 1, i, 200);
  if (back_end_keeps())
    expect(me, from(1, 2), 1, 0, 4 << 20);
  else
    EARL_EXPECT(lost(me, from(1, 2), 4 << 20));
  me.take(from(1, 3));
  // Messages to the dead are gone at once, at any length and in any mode.
  for (const Mode mode : {Mode::standard, Mode::buffered, Mode::synchronous})
    for (const std::size_t size : {std::size_t{8}, std::size_t{1} << 20})
      for (int i = 0; i < 20; ++i) me.send(to(1, 1, mode), Bytes{pattern(0, i, size)});
}

}  // namespace earl::conformance::killed
