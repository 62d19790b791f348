// SPDX-License-Identifier: BSD-3-Clause
/// Each process sends to each, itself included.
#include "tests/conformance/conformance.hpp"

namespace earl::conformance::everyone {

void run(Process& me, int n) {
  int const rank = number(me.rank());
  constexpr int rounds = 5;
  for (int round = 0; round < rounds; ++round)
    for (int step = 0; step < n; ++step) {
      const Data data = pattern(rank, round, 8);
      me.send(to((rank + step) % n, round, Mode::buffered), Bytes{data});
    }
  for (int round = 0; round < rounds; ++round)
    for (int source = 0; source < n; ++source) expect(me, from(source, round), source, round, 8);
  EARL_EXPECT(!me.try_probe({}));
}

}  // namespace earl::conformance::everyone
