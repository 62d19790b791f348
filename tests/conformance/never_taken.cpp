// SPDX-License-Identifier: BSD-3-Clause
/// A process ends although its messages are never received.
#include "tests/conformance/conformance.hpp"

namespace earl::conformance::never_taken {

void run(Process& me, int n) {
  int const rank = number(me.rank());
  if (rank == 0) return wait_for_end(me, 1);
  for (int i = 0; i < 5'000; ++i) me.send(to(0, 1, Mode::buffered), Bytes{pattern(rank, i, 64)});
  me.send(to(0, 2, Mode::buffered), Bytes{pattern(rank, 0, 10 << 20)});
  if (rank != 1) me.send(to((rank + 1) % n, 3, Mode::buffered), Bytes{pattern(rank, 0, 20'000)});
}

}  // namespace earl::conformance::never_taken
