// SPDX-License-Identifier: BSD-3-Clause
/// A send that waits for its receiver ends when the receiver does.
#include "tests/conformance/conformance.hpp"

namespace earl::conformance::offers_to_the_dead {

void run(Process& me, int n) {
  int const rank = number(me.rank());
  int const last = n - 1;
  if (rank == last) return me.take(from(0, 2)), void();  // and never the next ones
  if (rank != 0) return me.send(to(last, 1, Mode::synchronous), Bytes{pattern(rank, 0, 1 << 20)});
  const Data data = pattern(rank, 0, 1 << 20);
  const RequestId request = me.start_send(to(last, 1, Mode::synchronous), Bytes{data});
  me.send(to(last, 2), Bytes{});
  EARL_EXPECT(!me.wait(request).receive);
}

}  // namespace earl::conformance::offers_to_the_dead
