// SPDX-License-Identifier: BSD-3-Clause
/// A probe sees the message that a receive would take, and takes nothing.
#include "tests/conformance/conformance.hpp"

namespace earl::conformance::probes {

namespace {

void look(Process& me, std::size_t size) {
  const Found found = me.probe(tagged(1));
  EARL_EXPECT(found.envelope.source == Rank{1} && found.envelope.length == size);
  auto const again = me.try_probe(from(1, 1));
  EARL_EXPECT(again && again->id == found.id);
  EARL_EXPECT(!me.try_probe(from(1, 2)));
  expect(me, from(1, 1), 1, 0, size);
  EARL_EXPECT(!me.try_probe(from(1, 1)));
  EARL_EXPECT(!me.try_take(from(1, 1)));
}

}  // namespace

void run(Process& me, int) {
  const AllRanks all{me};
  for (const std::size_t size : {std::size_t{0}, std::size_t{8}, std::size_t{2} << 20}) {
    if (me.rank() == Rank{0}) EARL_EXPECT(!me.try_probe({}));
    all.barrier();
    if (me.rank() == Rank{1}) me.send(to(0, 1), Bytes{pattern(1, 0, size)});
    if (me.rank() == Rank{0}) look(me, size);
    all.barrier();
  }
  // A loop of probes makes progress by itself.
  if (me.rank() == Rank{1}) me.send(to(0, 9), bytes_of(9));
  if (me.rank() == Rank{0}) {
    while (!me.try_probe(tagged(9))) me.idle();
    EARL_EXPECT(me.take(tagged(9)).body.size() == sizeof(int));
  }
}

}  // namespace earl::conformance::probes
