// SPDX-License-Identifier: BSD-3-Clause
/// A process that only sends does not keep its messages: its receiver gets them meanwhile.
#include "tests/conformance/signal.hpp"

namespace earl::conformance::endless_sender {

namespace {

constexpr int wanted = 1'000;
constexpr int too_many = 300'000;
constexpr std::size_t size = 1'000;

}  // namespace

void run(Process& me, int) {
  const Signal signal{me};
  if (me.rank() == Rank{0}) {
    for (int i = 0; i < wanted; ++i) expect(me, from(1, 1), 1, i, size);
    signal.give();
    auto const last = me.take(from(1, 2));
    int sent = 0;
    std::memcpy(&sent, last.body.data(), sizeof sent);
    for (int i = wanted; i < sent; ++i) expect(me, from(1, 1), 1, i, size);
    return;
  }
  int sent = 0;
  for (; !signal.given(); ++sent) {
    EARL_EXPECT(sent < too_many);
    me.send(to(0, 1, Mode::buffered), Bytes{pattern(1, sent, size)});
  }
  me.send(to(0, 2, Mode::buffered), bytes_of(sent));
}

}  // namespace earl::conformance::endless_sender
