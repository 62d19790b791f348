// SPDX-License-Identifier: BSD-3-Clause
/// Collectives between two groups without a common member: those of one get what those of the other
/// give. All members of both make the same calls in the same order.
#pragma once

#include <vector>

#include "generic/collectives/collectives.hpp"

namespace earl {

/// Two groups, as a member of one sees them.
class GroupPair {
 public:
  /// `between`: a context of Space::collective that nothing else uses, the same for all members;
  /// collectives of the own group take place in its own. `local` must stay.
  GroupPair(Group const& local, std::span<const Rank> remote, Context between);

  /// The caller's.
  Group const& local() const { return local_; }
  std::size_t remote_size() const { return both_.size() - local_.size(); }
  /// All members, in an order that both groups agree on.
  Group both() const;
  /// A member of the other group as a member of both().
  std::size_t remote(std::size_t member) const { return remote_begin_ + member; }

 private:
  Group local_;
  Context between_;
  std::vector<Rank> both_;
  std::size_t local_begin_;
  std::size_t remote_begin_;
};

/// The root of a collective between groups, as one member sees it.
struct PairRoot {
  enum class Place {
    here,    ///< this member
    beside,  ///< another one of its group: the call is about neither it nor its data
    remote,  ///< the other group's `member`
  };

  Place place = Place::remote;
  std::size_t member = 0;
};

void barrier(Process& me, GroupPair const& pair);
/// `data` counts nowhere beside the root.
void broadcast(Process& me, GroupPair const& pair, PairRoot root, Scatter const& data);
/// The root gets in `data` the other group's, combined as by its own reduce(); the data of that
/// group are destroyed.
void reduce(Process& me, GroupPair const& pair, PairRoot root, MutableBytes data,
            Combine const& combine);
/// Each member gets in `data` the other group's, combined.
void all_reduce(Process& me, GroupPair const& pair, MutableBytes data, Combine const& combine);
/// An all_reduce() of which member i of the own group gets the i-th piece in `mine`.
void reduce_scatter(Process& me, GroupPair const& pair, MutableBytes data,
                    std::span<const std::size_t> sizes, Combine const& combine, MutableBytes mine);
/// rooms[i], at the root, is as long as the data of the other group's member i.
void gather(Process& me, GroupPair const& pair, PairRoot root, Gather const& mine,
            std::span<const Scatter> rooms);
/// A gather() for all members. Those of a group have rooms that are as long.
void all_gather(Process& me, GroupPair const& pair, Gather const& mine,
                std::span<const Scatter> rooms);
/// parts[i], at the root, goes to the other group's member i, whose room is as long.
void scatter(Process& me, GroupPair const& pair, PairRoot root, std::span<const Gather> parts,
             Scatter const& mine);
/// parts[i] goes to the other group's member i, whose data for this one come to rooms[i].
void all_to_all(Process& me, GroupPair const& pair, std::span<const Gather> parts,
                std::span<const Scatter> rooms);

}  // namespace earl
