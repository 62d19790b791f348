// SPDX-License-Identifier: BSD-3-Clause
#include "backends/fibers/mailboxes.hpp"

#include <algorithm>

#include "generic/base/id_table.hpp"

namespace earl::fibers {

namespace {

/// At least as many as a job has places: then EXEC gives a rank only when all ranks before it with
/// the same low bits have ended.
constexpr std::size_t low_ranks = most_ranks;

std::size_t low_bits(Rank rank) { return index(rank) % low_ranks; }

}  // namespace

bool Mailboxes::was_dropped(Rank rank) const {
  auto const low = low_bits(rank);
  return low < youngest_dropped_.size() && number(rank) < youngest_dropped_[low];
}

Mailbox& Mailboxes::of(Rank rank) {
  if (was_dropped(rank)) [[unlikely]]
    return ended_;
  auto& box = boxes_[number(rank)];
  if (!box) [[unlikely]]
    box = std::make_unique<Mailbox>();
  return *box;
}

void Mailboxes::introduce(Mailbox& mine, Rank me, Rank peer) {
  if (!mine.meet(peer)) return;
  auto& theirs = of(peer);
  if (theirs.ended) mine.gone.push_back(peer);
  if (&theirs != &ended_) theirs.meet(me);
}

std::vector<Rank> Mailboxes::end(Rank rank) {
  auto& box = of(rank);
  box.close();
  std::vector<Rank> notified;
  for (auto const peer : std::vector<Rank>{box.peers}) {
    auto& theirs = of(peer);
    if (theirs.ended) {
      box.remove(peer);
      theirs.remove(rank);
      drop_if_unused(peer);
    } else {
      theirs.gone.push_back(rank);
      notified.push_back(peer);
    }
  }
  drop_if_unused(rank);
  return notified;
}

void Mailboxes::part(Rank rank, Rank peer) {
  of(rank).remove(peer);
  auto& theirs = of(peer);
  if (&theirs == &ended_) return;
  theirs.remove(rank);
  drop_if_unused(peer);
}

void Mailboxes::drop_if_unused(Rank rank) {
  auto const found = boxes_.find(number(rank));
  if (found == boxes_.end() || !found->second->ended || !found->second->peers.empty()) return;
  boxes_.erase(found);
  auto const low = low_bits(rank);
  if (low >= youngest_dropped_.size()) youngest_dropped_.resize(low + 1);
  auto& youngest = youngest_dropped_[low];
  youngest = std::max(youngest, number(rank) + 1);
  dropped_(rank);
}

}  // namespace earl::fibers
