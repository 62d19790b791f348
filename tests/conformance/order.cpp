// SPDX-License-Identifier: BSD-3-Clause
/// Messages of one source never overtake each other, for any lengths and modes.
#include "tests/conformance/conformance.hpp"

namespace earl::conformance::order {

namespace {

constexpr std::size_t sizes[] = {0,       1,       8,  8'191,   3, 8'192, 8'193, 64 << 10,
                                 1 << 20, 9 << 20, 16, 100'000, 0, 9'000, 7};
constexpr int rounds = 2;

void send_all(Process& me, Mode mode) {
  int number = 0;
  for (int round = 0; round < rounds; ++round)
    for (const std::size_t size : sizes) {
      const Data data = pattern(earl::number(me.rank()), number++, size);
      me.send(to(0, 5, mode), Bytes{data});
    }
}

/// From all sources as they come: each one's messages are in order all the same.
void receive_all(Process& me, int sources) {
  std::vector<std::size_t> next(static_cast<std::size_t>(sources) + 1);
  for (std::size_t i = 0; i < std::size(sizes) * rounds * static_cast<std::size_t>(sources); ++i) {
    const Found found = me.probe(tagged(5));
    int const source = earl::number(found.envelope.source);
    const std::size_t n = next.at(index(found.envelope.source))++;
    expect(me, from(source, 5), source, static_cast<int>(n), sizes[n % std::size(sizes)]);
  }
}

}  // namespace

void run(Process& me, int n) {
  const AllRanks all{me};
  for (const Mode mode : {Mode::standard, Mode::buffered, Mode::synchronous}) {
    if (me.rank() == Rank{0})
      receive_all(me, n - 1);
    else
      send_all(me, mode);
    all.barrier();
  }
}

}  // namespace earl::conformance::order
