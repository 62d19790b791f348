// SPDX-License-Identifier: BSD-3-Clause
/// The processes of a job that use one front end (or FrontEnds), as systems without partitions
/// number them: from 0 in the order of their Ranks. Processes of other front ends have numbers
/// above theirs.
#pragma once

#include <span>
#include <vector>

#include "frontends/common/batch.hpp"
#include "generic/process.hpp"

namespace earl {

class Peers {
 public:
  /// The processes that the same run or spawn started as `me`. Waits, in a job of several programs,
  /// until it is known which of them use `front_ends`.
  Peers(Process& process, FrontEnds front_ends);
  /// Every process that Peers may consist of must have registered, but for those of the same
  /// program as `me`.
  Peers(IdTable const& table, Rank me, FrontEnds front_ends);

  int size() const { return static_cast<int>(ranks_.size()); }
  int me() const { return me_; }
  std::span<const Rank> ranks() const { return ranks_; }
  bool holds(int number) const { return 0 <= number && number < size(); }
  /// no_rank: there is no process of that number.
  Rank rank_of(int number) const {
    return holds(number) ? ranks_[static_cast<std::size_t>(number)] : other_rank(number);
  }
  int number_of(Rank rank) const {
    bool const native = index(rank) < numbers_.size() && numbers_[index(rank)] != foreign;
    return native ? numbers_[index(rank)] : size() + number(rank);
  }

 private:
  static constexpr int foreign = -1;
  Rank other_rank(int number) const;

  IdTable table_;
  std::vector<Rank> ranks_{};   ///< by number
  std::vector<int> numbers_{};  ///< number or `foreign`, by Rank
  int me_ = 0;
};

}  // namespace earl
