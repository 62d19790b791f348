// SPDX-License-Identifier: BSD-3-Clause
/// All send long buffered messages to all before any receives.
#include "tests/conformance/conformance.hpp"

namespace earl::conformance::exchange {

void run(Process& me, int n) {
  int const rank = number(me.rank());
  for (const std::size_t size : {std::size_t{100'000}, std::size_t{10} << 20}) {
    for (int step = 1; step < n; ++step) {
      Data data = pattern(rank, step, size);
      me.send(to((rank + step) % n, 1, Mode::buffered), Bytes{data});
      data.assign(size, std::byte{0xee});  // it is the program's again
    }
    for (int step = 1; step < n; ++step) {
      int const source = (rank - step + n) % n;
      expect(me, from(source, 1), source, step, size);
    }
  }
}

}  // namespace earl::conformance::exchange
