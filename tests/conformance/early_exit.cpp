// SPDX-License-Identifier: BSD-3-Clause
/// A process's messages are there for their receiver, also after it has ended.
#include <thread>

#include "tests/conformance/conformance.hpp"

namespace earl::conformance::early_exit {

namespace {

constexpr int count = 3'000;
constexpr std::size_t large = 10 << 20;

void send_and_end(Process& me) {
  for (int i = 0; i < count; ++i) me.send(to(0, 1, Mode::buffered), Bytes{pattern(1, i, 100)});
  me.send(to(0, 2, Mode::buffered), Bytes{pattern(1, 0, large)});
  me.send(to(0, 3, Mode::buffered), Bytes{pattern(1, 1, 8)});
}

/// The back end may report later than EXEC that a process has left, and no call says whether it
/// has. If this time were too short, the messages would be received before: nothing fails for that.
void wait_for_end_of_last(Process& me) {
  auto const begin = Clock::now();
  while (Clock::now() < begin + std::chrono::milliseconds{200}) {
    me.idle();
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
}

}  // namespace

void run(Process& me, int) {
  if (me.rank() == Rank{1}) send_and_end(me);
  if (me.rank() != Rank{0}) return;
  wait_for_end(me, 1);
  wait_for_end_of_last(me);
  expect(me, from(1, 3), 1, 1, 8);
  expect(me, from(1, 2), 1, 0, large);
  for (int i = 0; i < count; ++i) expect(me, from(1, 1), 1, i, 100);
  EARL_EXPECT(!me.try_probe({}));
}

}  // namespace earl::conformance::early_exit
