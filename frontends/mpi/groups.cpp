// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/groups.hpp"

#include <algorithm>

#include "frontends/mpi/errors.hpp"

namespace earl::mpi {

namespace {

void check_number(Members const& group, int number) {
  if (!group.holds(number))
    throw MpiError(ErrorClass::rank, "a rank is {}: the group has ranks 0 to {}", number,
                   group.size() - 1);
}

/// Marks the members that have these numbers; none twice.
std::vector<bool> marked(Members const& group, std::span<int const> numbers) {
  std::vector<bool> marks(static_cast<std::size_t>(group.size()), false);
  for (auto const number : numbers) {
    check_number(group, number);
    auto const at = static_cast<std::size_t>(number);
    if (marks[at])
      throw MpiError(ErrorClass::rank, "rank {} is there twice: name each once", number);
    marks[at] = true;
  }
  return marks;
}

template <class Wanted>
Ranks chosen(Members const& from, Wanted const& wanted) {
  Ranks ranks;
  for (auto const rank : from.ranks())
    if (wanted(rank)) ranks.push_back(rank);
  return ranks;
}

}  // namespace

int Members::number_of(Rank rank) const {
  auto const found = std::ranges::find(ranks_, rank);
  return found == ranks_.end() ? none : static_cast<int>(found - ranks_.begin());
}

RankIndex::RankIndex(Members const& members) {
  for (int number = 0; number < members.size(); ++number) {
    auto const at = index(members.rank_of(number));
    if (at >= numbers_.size()) numbers_.resize(at + 1, Members::none);
    numbers_[at] = number;
  }
}

GroupRelation compare(Members const& one, Members const& other) {
  if (std::ranges::equal(one.ranks(), other.ranks())) return GroupRelation::identical;
  Ranks ours(one.ranks().begin(), one.ranks().end());
  Ranks theirs(other.ranks().begin(), other.ranks().end());
  std::ranges::sort(ours);
  std::ranges::sort(theirs);
  return ours == theirs ? GroupRelation::similar : GroupRelation::unequal;
}

Ranks set_union(Members const& one, Members const& other) {
  Ranks ranks(one.ranks().begin(), one.ranks().end());
  auto const more = difference(other, one);
  ranks.insert(ranks.end(), more.begin(), more.end());
  return ranks;
}

Ranks intersection(Members const& one, Members const& other) {
  RankIndex const numbers(other);
  return chosen(one, [&](Rank rank) { return numbers.of(rank) != Members::none; });
}

Ranks difference(Members const& one, Members const& other) {
  RankIndex const numbers(other);
  return chosen(one, [&](Rank rank) { return numbers.of(rank) == Members::none; });
}

Ranks included(Members const& group, std::span<int const> numbers) {
  marked(group, numbers);
  Ranks ranks;
  for (auto const number : numbers) ranks.push_back(group.rank_of(number));
  return ranks;
}

Ranks excluded(Members const& group, std::span<int const> numbers) {
  auto const marks = marked(group, numbers);
  Ranks ranks;
  for (int number = 0; number < group.size(); ++number)
    if (!marks[static_cast<std::size_t>(number)]) ranks.push_back(group.rank_of(number));
  return ranks;
}

std::vector<int> expand_ranges(Members const& group, int n, int (*ranges)[3]) {
  std::vector<int> numbers;
  for (int range = 0; range < n; ++range) {
    std::int64_t const first = ranges[range][0], last = ranges[range][1], stride = ranges[range][2];
    if (stride == 0 || (first != last && (last > first) != (stride > 0)))
      throw MpiError(ErrorClass::arg,
                     "ranges[{}] is ({}, {}, {}): the stride must lead from the first to the last",
                     range, first, last, stride);
    for (std::int64_t i = 0; i <= (last - first) / stride; ++i) {
      check_number(group, static_cast<int>(first + i * stride));
      numbers.push_back(static_cast<int>(first + i * stride));
    }
  }
  return numbers;
}

}  // namespace earl::mpi
