/// mapping_nx.c without NX: the same messages by the calls below. The difference is the cost of the
/// mapping.
#include <array>
#include <cstdio>
#include <cstdlib>

#include "exec/runtime/boot.hpp"
#include "tests/bench/clock.h"

int main(int argc, char** argv) {
  long const times = argc > 1 ? std::atol(argv[1]) : 0;
  bench_pin(0);
  earl::boot::load("");
  earl::Process& me = *earl::boot::process();
  std::array<std::byte, 8> bytes{};
  double const begin = bench_worked();
  for (long i = 0; i < times; ++i) {
    me.send({.dest = me.rank(), .tag = earl::Tag{7}, .mode = earl::Mode::buffered},
            earl::Bytes{bytes});
    (void)me.receive({.tag = earl::TagMatch::exactly(earl::Tag{7})}, earl::MutableBytes{bytes});
  }
  std::printf("pair %.2f\n", (bench_worked() - begin) / static_cast<double>(times > 0 ? times : 1));
  return 0;
}
// SPDX-License-Identifier: BSD-3-Clause
