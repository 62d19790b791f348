/// Memory that is a pattern beside a plain loop over it, both with the bytes in the cache: the cost
/// of a copy of so many pieces, nanoseconds.
#include <array>
#include <cstdio>
#include <cstring>
#include <vector>

#include "generic/base/layout.hpp"
// C, too.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#include "tests/bench/clock.h"
#pragma GCC diagnostic pop

namespace {

constexpr std::size_t most = 1 << 17;
std::array<double, 2 * most> memory;
std::array<double, most> flat;

template <class Copy>
double nanoseconds(Copy copy, std::size_t pieces) {
  const std::size_t rounds = 50'000'000 / pieces / 10 + 1;
  double best = 1e18;
  for (int attempt = 0; attempt < 7; ++attempt) {
    double const begin = bench_worked();
    for (std::size_t i = 0; i < rounds; ++i) {
      copy();
      asm volatile("" ::: "memory");
    }
    double const took = (bench_worked() - begin) / static_cast<double>(rounds);
    best = took < best ? took : best;
  }
  return best;
}

void compare(char const* name, earl::Pattern const& pattern, std::size_t pieces) {
  auto* const from = reinterpret_cast<std::byte const*>(memory.data());
  auto* const to = reinterpret_cast<std::byte*>(flat.data());
  double const ours = nanoseconds([&] { pattern.copy_out(from, 0, to, pattern.size()); }, pieces);
  double const loop = nanoseconds(
      [&] {
        for (std::size_t i = 0; i < pieces; ++i) flat[i] = memory[2 * i];
      },
      pieces);
  std::printf("%s %zu pattern %.1f loop %.1f\n", name, pieces, ours, loop);
}

}  // namespace

int main() {
  using earl::MemoryLayout;
  auto const one = MemoryLayout::block(sizeof(double));
  for (std::size_t const pieces : {8U, 1024U, 32'768U}) {
    compare("stride", earl::Pattern(one, pieces, 2 * sizeof(double)), pieces);
    auto const row = one.repeated(8, 2 * sizeof(double));
    compare("rows", earl::Pattern(row, pieces / 8, 16 * sizeof(double) + 8), pieces);
  }
  return 0;
}
// SPDX-License-Identifier: BSD-3-Clause
