// SPDX-License-Identifier: BSD-3-Clause
/// The processes that a process has exchanged packets with.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "backends/shm/door.hpp"
#include "backends/shm/ring.hpp"

namespace earl::shm {

struct Peer {
  Rank rank = no_rank;
  std::uint32_t incarnation = 0;
  RingReader in;
  RingWriter out;
  std::uint32_t in_page = 0;  ///< its entry in the directory
  Door* door = nullptr;
  RankSet active;            ///< the peer's: its senders
  bool interested = false;   ///< the peer's end will be reported here
  bool full = false;         ///< a put() found no room
  bool end_noticed = false;  ///< its end has been reported, or will be

  bool ended() const { return ended_in(door->state.load(std::memory_order_relaxed), incarnation); }
  /// Lets it know how far its ring has been read.
  void publish() {
    if (in.publish()) wake_if_asleep(*door);
  }
};

/// By slot, in groups that are made when one of them is first needed.
class PeerTable {
 public:
  explicit PeerTable(Layout const& layout)
      : layout_(layout), groups_((layout.capacity + group_size - 1) / group_size) {}

  /// Null: no process of that slot is known. Else it may be one that had it before.
  Peer* in_slot(std::size_t slot) const {
    auto const& group = groups_[slot / group_size];
    if (!group || (*group)[slot % group_size].rank == no_rank) return nullptr;
    return &(*group)[slot % group_size];
  }
  /// Null: no packets to or from `rank` so far, or its end has been reported.
  Peer* known(Rank rank) const {
    Peer* const there = in_slot(layout_.slot(rank));
    return there && there->rank == rank ? there : nullptr;
  }
  /// The peer of the slot; its rank is no_rank when it is a new one.
  Peer& make(std::size_t slot) {
    auto& group = groups_[slot / group_size];
    if (!group) group = std::make_unique<Group>();
    return (*group)[slot % group_size];
  }
  template <class Visit>
  void each(Visit const& visit) const {
    for (auto const& group : groups_)
      if (group)
        for (Peer& peer : *group)
          if (peer.rank != no_rank) visit(peer);
  }

 private:
  static constexpr std::size_t group_size = 64;
  using Group = std::array<Peer, group_size>;

  Layout layout_;
  std::vector<std::unique_ptr<Group>> groups_;
};

}  // namespace earl::shm
