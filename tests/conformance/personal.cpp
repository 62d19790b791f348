// SPDX-License-Identifier: BSD-3-Clause
/// Collectives in which each member gets something of its own: scatter, all-to-all, scans.
#include <array>
#include <cstring>

#include "generic/collectives/collectives.hpp"
#include "tests/conformance/conformance.hpp"

namespace earl::conformance::personal {

namespace {

constexpr std::array<std::size_t, 4> lengths{0, 8, 3'000, 200'000};

void scatters(Process& me, Group const& group, std::size_t length) {
  const std::size_t root = group.size() - 1;
  Data all;
  std::vector<Data> pieces;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Data piece = pattern(static_cast<int>(i), 1, length);
    all.insert(all.end(), piece.begin(), piece.end());
    pieces.push_back(pattern(static_cast<int>(i), 2, length * i));
  }
  Data mine(length);
  scatter(me, group, root, Bytes{all}, MutableBytes{mine});
  EARL_EXPECT(mine == pattern(static_cast<int>(group.me), 1, length));

  std::vector<Bytes> const parts(pieces.begin(), pieces.end());
  const Buffer got = scatter(me, group, root, parts);
  EARL_EXPECT(got.size() == pieces[group.me].size());
  EARL_EXPECT(got.empty() || !std::memcmp(got.data(), pieces[group.me].data(), got.size()));
}

/// The data of member `from` for member `to`.
Data letter(std::size_t from, std::size_t to, std::size_t length) {
  return pattern(static_cast<int>(from), static_cast<int>(to), length);
}

void exchanges(Process& me, Group const& group, std::size_t length) {
  Data out;
  std::vector<Data> letters;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Data piece = letter(group.me, i, length);
    out.insert(out.end(), piece.begin(), piece.end());
    letters.push_back(letter(group.me, i, length * (group.me + 1)));
  }
  Data in(out.size());
  all_to_all(me, group, Bytes{out}, MutableBytes{in});
  std::vector<Bytes> const parts(letters.begin(), letters.end());
  auto const got = all_to_all(me, group, parts);
  EARL_EXPECT(got.size() == group.size());
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Data wanted = letter(i, group.me, length);
    EARL_EXPECT(!length || !std::memcmp(&in[i * length], wanted.data(), length));
    const Data longer = letter(i, group.me, length * (i + 1));
    EARL_EXPECT(got[i].size() == longer.size());
    EARL_EXPECT(got[i].empty() || !std::memcmp(got[i].data(), longer.data(), longer.size()));
  }
}

void scans(Process& me, Group const& group, std::size_t length) {
  const std::size_t count = length / sizeof(double);
  auto const mine = static_cast<double>(group.me + 1);
  double const up_to_me = mine * (mine + 1) / 2;
  std::vector<double> values(count, mine);
  scan(me, group, bytes_in(values), {.function = add});
  EARL_EXPECT(values == std::vector<double>(count, up_to_me));
  values.assign(count, mine);
  prefix(me, group, bytes_in(values), {.function = add});
  EARL_EXPECT(values == std::vector<double>(count, group.me == 0 ? mine : up_to_me - mine));

  std::vector<double> everything(group.size(), mine);
  std::vector<std::size_t> const sizes(group.size(), sizeof(double));
  std::vector<double> piece(1);
  reduce_scatter(me, group, bytes_in(everything), sizes, {.function = add}, bytes_in(piece));
  auto const n = static_cast<double>(group.size());
  EARL_EXPECT(piece[0] == n * (n + 1) / 2);
}

}  // namespace

void run(Process& me, int) {
  const AllRanks all{me};
  for (const std::size_t length : lengths) {
    if (length > 100'000 && all.group().size() > 8) continue;  // quadratic: 54 MB for each of 16
    scatters(me, all.group(), length);
    exchanges(me, all.group(), length);
    scans(me, all.group(), length);
  }
}

}  // namespace earl::conformance::personal
