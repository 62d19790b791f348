// SPDX-License-Identifier: BSD-3-Clause
/// Groups: processes in an order.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "frontends/mpi/counted.hpp"
#include "generic/base/values.hpp"

namespace earl::mpi {

/// The members of a group or communicator, by their MPI ranks.
class Members final : public Counted {
 public:
  Members(std::vector<Rank> ranks, Rank caller)
      : own_(std::move(ranks)), ranks_(own_), me_(number_of(caller)) {}
  /// From ranks that the caller keeps for longer.
  Members(std::span<Rank const> ranks, int me) : ranks_(ranks), me_(me) {}

  static constexpr int none = -1;

  int size() const { return static_cast<int>(ranks_.size()); }
  bool holds(int number) const { return 0 <= number && number < size(); }
  std::span<Rank const> ranks() const { return ranks_; }
  Rank rank_of(int number) const { return ranks_[static_cast<std::size_t>(number)]; }
  /// The caller's, or `none`.
  int me() const { return me_; }
  /// Looks through all; `none`: it is no member.
  int number_of(Rank rank) const;

 private:
  std::vector<Rank> own_{};
  std::span<Rank const> ranks_;
  int me_;
};

/// A map from ranks to numbers of members, built once for many look-ups.
class RankIndex {
 public:
  explicit RankIndex(Members const& members);
  /// `none`: it is no member.
  int of(Rank rank) const {
    return index(rank) < numbers_.size() ? numbers_[index(rank)] : Members::none;
  }

 private:
  std::vector<int> numbers_{};
};

enum class GroupRelation { identical, similar, unequal };
/// identical: the same members in the same order; similar: in another order.
GroupRelation compare(Members const& one, Members const& other);

// --- ranks of new groups
using Ranks = std::vector<Rank>;
Ranks set_union(Members const& one, Members const& other);
Ranks intersection(Members const& one, Members const& other);
Ranks difference(Members const& one, Members const& other);
/// The members with these numbers, in their order, and the other members. Class RANK: a number is
/// no member's, or there twice.
Ranks included(Members const& group, std::span<int const> numbers);
Ranks excluded(Members const& group, std::span<int const> numbers);
/// The numbers in ranges of first, last and stride. Class ARG: a stride of 0. Class RANK: one is no
/// member's.
std::vector<int> expand_ranges(Members const& group, int n, int (*ranges)[3]);

}  // namespace earl::mpi
