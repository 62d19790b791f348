// SPDX-License-Identifier: BSD-3-Clause
/// Messages without bytes are messages: they match, they keep their place, they complete.
#include "tests/conformance/conformance.hpp"

namespace earl::conformance::empty {

void run(Process& me, int n) {
  int const rank = number(me.rank());
  int const next = (rank + 1) % n;
  int const before = (rank - 1 + n) % n;
  for (const Mode mode : {Mode::standard, Mode::buffered}) {
    me.send(to(next, 1, mode), Bytes{});
    me.send(to(next, 2, mode), bytes_of(rank));
    me.send(to(next, 1, mode), Bytes{});
    const Completion done = me.receive(from(before, 1), Scatter{});
    EARL_EXPECT(done.envelope.length == 0 && !done.truncated);
    EARL_EXPECT(me.probe(from(before, 2)).envelope.length == sizeof rank);
    EARL_EXPECT(me.take(from(before, 1)).body.empty());
    EARL_EXPECT(me.take(from(before, 2)).body.size() == sizeof rank);
  }
  const RequestId sent = me.start_send(to(next, 3, Mode::synchronous), Bytes{});
  EARL_EXPECT(me.receive(from(before, 3), Scatter{}).delivered == 0);
  me.wait(sent);
}

}  // namespace earl::conformance::empty
