// SPDX-License-Identifier: BSD-3-Clause
/// Ten thousand messages to a process that does not receive them yet neither block their sender
/// nor get lost.
#include "tests/conformance/conformance.hpp"

namespace earl::conformance::flood {

namespace {

constexpr int count = 10'000;
constexpr std::size_t size_of(int number) { return number % 100 == 0 ? 5'000 : 16; }

}  // namespace

void run(Process& me, int n) {
  const AllRanks all{me};
  int const rank = number(me.rank());
  if (rank != 0)
    for (int i = 0; i < count; ++i) {
      const Data data = pattern(rank, i, size_of(i));
      me.send(to(0, 1, Mode::buffered), Bytes{data});
    }
  all.barrier();
  if (rank == 0)
    for (int source = n - 1; source > 0; --source)
      for (int i = 0; i < count; ++i) expect(me, from(source, 1), source, i, size_of(i));
  all.barrier();
}

}  // namespace earl::conformance::flood
