// SPDX-License-Identifier: BSD-3-Clause
/// The memory of Earl does not grow with the number of messages: as many bytes are in use after N
/// exchanges as after 2 N.
#include <algorithm>

#include "generic/system/heap.hpp"
#include "tests/conformance/conformance.hpp"

namespace earl::conformance::steady_memory {

namespace {

constexpr int messages = 60;
constexpr int rounds = 12;
constexpr int work = 1, end_of_work = 2, answer = 3;

/// Short and long ones.
std::size_t size_of(int i) { return i % 20 == 7 ? 150'000 : 40 * static_cast<std::size_t>(i); }

/// Receives nothing before all has been sent, so that each round needs as much memory as others.
void exchange(Process& me, int n) {
  int const rank = number(me.rank());
  if (rank != 0) {
    for (int i = 0; i < messages; ++i)
      me.send(to(0, work, Mode::buffered), Bytes{pattern(rank, i, size_of(i))});
    me.send(to(0, end_of_work), Bytes{});
    for (int i = 0; i < messages; ++i) expect(me, from(0, answer), 0, i, size_of(i));
    return;
  }
  for (int source = 1; source < n; ++source) expect(me, from(source, end_of_work), source, 0, 0);
  for (int i = 0; i < messages; ++i)
    for (int source = 1; source < n; ++source) {
      expect(me, from(source, work), source, i, size_of(i));
      me.send(to(source, answer, Mode::buffered), Bytes{pattern(0, i, size_of(i))});
    }
}

std::size_t used_after(Process& me, int n, int times) {
  const AllRanks all{me};
  for (int i = 0; i < times; ++i) exchange(me, n);
  all.barrier();
  for (int i = 0; i < 1000; ++i) me.idle();
  auto const used = heap::usage().in_use;
  all.barrier();
  return used;
}

}  // namespace

/// Memory for as many operations as there ever were at once may grow in some of them, a leak
/// grows in each.
void run(Process& me, int n) {
  constexpr int windows = 6;
  auto used = used_after(me, n, rounds);
  auto least = SIZE_MAX;
  for (int i = 0; i < windows; ++i) {
    auto const now = used_after(me, n, rounds);
    least = std::min(least, now - std::min(now, used));
    used = now;
  }
  EARL_EXPECT(least == 0);
}

}  // namespace earl::conformance::steady_memory
