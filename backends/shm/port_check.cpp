// SPDX-License-Identifier: BSD-3-Clause
/// A process's checks for damage to the job's memory: it knows its own writes.
#include <limits>

#include "backends/shm/port.hpp"

namespace earl::shm {

void ShmPort::check_own() {
  check_door();
  exposures_.check();
  for (auto const& group : peers_)
    if (group)
      for (Peer& peer : *group)
        if (peer.rank != no_rank && !peer.ended()) check_peer(peer);
}

/// EXEC writes `life`, this process the rest.
/// A value that EXEC never writes is damage, and no process has ended.
void ShmPort::check_end(Rank rank) {
  auto const& layout = segment_.layout();
  auto const word = segment_.door(rank).life.load(std::memory_order_relaxed);
  auto const newest = layout.incarnation(Rank{std::numeric_limits<std::int32_t>::max()});
  if (word >> 2 < layout.incarnation(rank) || word >> 2 > newest || life_in(word) > Life::ended)
    segment_.damaged("its life word of process {} is invalid", number(rank));
}

void ShmPort::check_door() {
  auto const life = door_.life.load(std::memory_order_relaxed);
  if (life != life_word(segment_.layout().incarnation(me_), Life::living) &&
      life != life_word(segment_.layout().incarnation(me_), Life::unborn))
    segment_.damaged("process {} lives and is marked as ended", number(me_));
  if (head_.magic != segment_magic || head_.key != segment_.key() ||
      head_.capacity != segment_.layout().capacity)
    segment_.damaged("its head has been overwritten");
}

void ShmPort::check_peer(Peer& peer) {
  auto const entry = [&](Rank to, Rank from) {
    return segment_.at<Shared<std::uint32_t>>(segment_.layout().directory_entry(to, from)).load();
  };
  if (peer.out.open()) {
    if (entry(peer.rank, me_) != peer.out.at() / page)
      segment_.damaged("the place of the ring from process {} to process {} has changed",
                       number(me_), number(peer.rank));
    peer.out.check(me_, peer.rank);
    if (peer.out.unread()) announce(peer);
  }
  if (!peer.in.open()) return;
  if (entry(me_, peer.rank) != peer.in_page)
    segment_.damaged("the place of the ring from process {} to process {} has changed",
                     number(peer.rank), number(me_));
  peer.in.check(me_);
}

}  // namespace earl::shm
