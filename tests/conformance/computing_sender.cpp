// SPDX-License-Identifier: BSD-3-Clause
/// A process's messages arrive while it computes: it makes no call before its receiver has them.
#include <chrono>

#include "tests/conformance/signal.hpp"

namespace earl::conformance::computing_sender {

namespace {

constexpr auto limit = std::chrono::seconds{30};

void compute_until(Signal const& signal) {
  auto const end = Clock::now() + limit;
  while (!signal.given()) EARL_EXPECT(Clock::now() < end);
}

}  // namespace

void run(Process& me, int) {
  const Signal signal{me};
  if (me.rank() == Rank{0}) {
    expect(me, from(1, 1), 1, 0, 100);
    expect(me, from(1, 1), 1, 1, 8);
    return signal.give();
  }
  // The first message to a process, and the next: both must leave.
  me.send(to(0, 1, Mode::buffered), Bytes{pattern(1, 0, 100)});
  me.send(to(0, 1, Mode::buffered), Bytes{pattern(1, 1, 8)});
  compute_until(signal);
}

}  // namespace earl::conformance::computing_sender
