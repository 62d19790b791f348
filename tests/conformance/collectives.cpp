// SPDX-License-Identifier: BSD-3-Clause
/// Collectives give every member the same result, for any size of the group and length of the data.
#include <cstring>

#include "generic/collectives/collectives.hpp"
#include "tests/conformance/conformance.hpp"

namespace earl::conformance::collectives {

namespace {

void sums(Process& me, Group const& group, std::size_t length) {
  std::vector<double> values(length, 1.0 / (1.0 + static_cast<double>(group.me)));
  all_reduce(me, group, bytes_in(values), {.function = add});
  double first = length ? values[0] : 0;
  for (double const value : values) EARL_EXPECT(value == first);
  // Bit-identical everywhere: member 0's result equals mine.
  double theirs = first;
  broadcast(me, group, 0, std::as_writable_bytes(std::span{&theirs, 1}));
  EARL_EXPECT(std::memcmp(&theirs, &first, sizeof first) == 0);
  std::vector<double> ones(length, 1.0);
  const std::size_t root = group.size() - 1;
  reduce(me, group, root, bytes_in(ones), {.function = add});
  if (group.me == root)
    for (double const value : ones) EARL_EXPECT(value == static_cast<double>(group.size()));
}

void copies(Process& me, Group const& group, std::size_t length) {
  for (std::size_t root = 0; root < group.size(); root += 3) {
    Data data = group.me == root ? pattern(static_cast<int>(root), 1, length) : Data(length);
    broadcast(me, group, root, MutableBytes{data});
    EARL_EXPECT(data == pattern(static_cast<int>(root), 1, length));
  }
}

void gathers(Process& me, Group const& group) {
  Data expected;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Data part = pattern(static_cast<int>(i), 2, i * 5'000);
    expected.insert(expected.end(), part.begin(), part.end());
  }
  const Data mine = pattern(static_cast<int>(group.me), 2, group.me * 5'000);
  auto same = [&](Buffer const& all) {
    return all.size() == expected.size() &&
           (all.empty() || std::memcmp(all.data(), expected.data(), all.size()) == 0);
  };
  EARL_EXPECT(same(all_gather(me, group, Bytes{mine})));
  const Buffer at_root = gather(me, group, group.size() - 1, Bytes{mine});
  EARL_EXPECT(group.me + 1 == group.size() ? same(at_root) : at_root.empty());
}

}  // namespace

void run(Process& me, int) {
  const AllRanks all{me};
  const Group group = all.group();
  for (int i = 0; i < 100; ++i) barrier(me, group);
  for (const std::size_t length : {0U, 1U, 3U, 2'000U, 200'000U}) {
    sums(me, group, length);
    copies(me, group, length);
  }
  gathers(me, group);
}

}  // namespace earl::conformance::collectives
