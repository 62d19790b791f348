// SPDX-License-Identifier: BSD-3-Clause
#include "backends/shm/memory_checks.hpp"

#include <limits>

namespace earl::shm {

/// A value that EXEC never writes is damage, and no process has ended.
void MemoryChecks::check_end(Rank rank) {
  auto const& layout = segment_.layout();
  auto const word = segment_.door(rank).state.load(std::memory_order_relaxed);
  auto const newest = layout.incarnation(Rank{std::numeric_limits<std::int32_t>::max()});
  if (word >> 2 < layout.incarnation(rank) || word >> 2 > newest ||
      state_in(word) > ProcessState::ended)
    segment_.damaged("its state word of process {} is invalid", number(rank));
}

/// EXEC writes `state`, this process the rest.
void MemoryChecks::check_own_door() {
  auto const state = segment_.door(me_).state.load(std::memory_order_relaxed);
  if (state != state_word(segment_.layout().incarnation(me_), ProcessState::living) &&
      state != state_word(segment_.layout().incarnation(me_), ProcessState::unborn))
    segment_.damaged("process {} lives and is marked as ended", number(me_));
  auto const& head = segment_.head();
  if (head.magic != segment_magic || head.key != segment_.key() ||
      head.capacity != segment_.layout().capacity)
    segment_.damaged("its head has been overwritten");
}

void MemoryChecks::check_peer(Peer& peer) {
  auto const entry = [&](Rank to, Rank from) {
    return segment_.at<Shared<std::uint32_t>>(segment_.layout().directory_entry(to, from)).load();
  };
  if (peer.out.open()) {
    if (entry(peer.rank, me_) != peer.out.at() / page)
      segment_.damaged("the place of the ring from process {} to process {} has changed",
                       number(me_), number(peer.rank));
    peer.out.check(me_, peer.rank);
  }
  if (!peer.in.open()) return;
  if (entry(me_, peer.rank) != peer.in_page)
    segment_.damaged("the place of the ring from process {} to process {} has changed",
                     number(peer.rank), number(me_));
  peer.in.check(me_);
}

/// Rings of the previous users of the two slots have the same slots; one that is being given back
/// has no reliable content, and by then the directory may not name it any more.
void MemoryChecks::check_foreign(Ring const& ring, Rank slot, std::uint32_t pages) {
  auto const& layout = segment_.layout();
  const Rank from{ring.source}, to{ring.dest};
  bool const sound = (number(from) == 0 && number(to) == 0) ||
                     (number(from) >= 0 && number(to) >= 0 && layout.slot(from) == index(slot) &&
                      layout.slot(to) == layout.slot(me_));
  auto const entry = layout.directory_entry(me_, slot);
  if (!sound && segment_.at<Shared<std::uint32_t>>(entry).load(std::memory_order_acquire) == pages)
    segment_.damaged("a ring to process {} says that it is another's", number(me_));
}

void MemoryChecks::refuse_sender_set() {
  segment_.damaged("the set of senders to process {} has a member that the job has no place for",
                   number(me_));
}

}  // namespace earl::shm
