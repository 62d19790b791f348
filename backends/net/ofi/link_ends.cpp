// SPDX-License-Identifier: BSD-3-Clause
/// The leaving of processes, and the drain of killed ones.
#include <algorithm>
#include <utility>

#include "backends/net/ofi/link.hpp"

namespace earl::net::ofi {

namespace {

/// Data that a killed process's system had taken arrives by then: both ends are this host.
constexpr std::chrono::milliseconds drain_time{50};
/// By then EXEC, also of a busy host, has said that a process has ended which is not reached any
/// more.
constexpr std::chrono::seconds ended_list{3};
/// Interval between two polls of peers that have not answered yet.
constexpr std::chrono::microseconds nap{100};

}  // namespace

void OfiLink::link_broke(Rank rank, char const* error_text) {
  broken_.push_back({.rank = rank, .error_text = error_text, .until = Clock::now() + ended_list});
}

/// A peer that has left or ended has lost nothing that is missed. An unreachable peer is down, so
/// that this process need not wait for it before it ends.
void OfiLink::judge(FrameSink& sink) {
  auto const now = Clock::now();
  std::erase_if(broken_, [&](BrokenLink const& one) {
    return is_down(one.rank) || peers_.find_or_add(one.rank).left;
  });
  auto const at = std::ranges::find_if(broken_, [&](auto const& one) { return one.until <= now; });
  if (at == broken_.end()) return;
  auto const found = *at;
  peers_.find_or_add(found.rank).lost = lost_any_ = true;
  sink.down(found.rank, found.error_text);
  throw Error("libfabric ({}) has lost messages to or from {}: {}", calls_.provider(ofi_),
              board_->describe(found.rank), found.error_text);
}

bool OfiLink::is_down(Rank peer) {
  if (!ofi_ || (board_->has(peer) && board_->has_ended(peer))) return true;
  auto const* const known = lost_any_ ? peers_.find(peer) : nullptr;
  return known && known->lost;
}

void OfiLink::handle_word(Peer& from, Word word) {
  if (word == Word::leaving_seen) {
    from.answered = true;
    return;
  }
  from.left = true;
  answer(from);
}

void OfiLink::answer(Peer& to) {
  to.answer_pending = !is_down(to.rank) && !transmit(to, Word::leaving_seen, Bytes{});
  answers_pending_ |= to.answer_pending;
}

/// Includes peers without contact so far: their frames may still arrive.
void OfiLink::observe_deaths() {
  notices_.read_deaths(
      *board_, [this](Rank rank) { observe_death(rank); },
      [this] {
        for (auto const& known : peers_)
          if (is_down(known->rank)) observe_death(known->rank);
      });
}

void OfiLink::observe_death(Rank rank) {
  if (rank == me_ || std::exchange(peers_.find_or_add(rank).end_noticed, true)) return;
  dying_.push_back({.rank = rank, .until = Clock::now() + drain_time});
}

/// Nothing more is expected from it, and its number need not be known.
void OfiLink::part(Peer& peer) {
  for (auto const& [number, arrival] : peer.early) repost(arrival);
  if (peer.destination && ofi_) calls_.remove(ofi_, *peer.destination);
  peers_.remove(peer);
}

/// Nothing is here now.
std::size_t OfiLink::mark_ended(FrameSink& sink) {
  const Deadline now = Clock::now();
  std::size_t events = 0;
  for (std::size_t i = dying_.size(); i-- > 0;) {
    Peer& dead = peers_.find_or_add(dying_[i].rank);
    if (dying_[i].until > now && !dead.left) continue;
    auto const rank = dead.rank;
    bool const left = dead.left;
    dying_.erase(dying_.begin() + static_cast<std::ptrdiff_t>(i));
    ++events;
    part(dead);
    sink.down(rank, left ? "" : "its process has ended");
  }
  return events;
}

bool OfiLink::all_answered() {
  return std::ranges::all_of(peers_, [&](auto const& one) {
    return one->sent == 0 || one->answered || one->left || is_down(one->rank);
  });
}

/// Data in this process's memory would be lost with it: so it stays until its peers have answered,
/// but does not wait for one that computes for long. Leaving is announced once, however late it is.
void OfiLink::close(Deadline deadline) {
  if (!ofi_) return;
  drain(deadline);
  shut();
}

void OfiLink::drain(Deadline deadline) {
  DiscardingFrameSink sink;
  std::vector<Rank> unannounced;
  for (auto const& one : peers_)
    if (one->sent != 0) unannounced.push_back(one->rank);
  do {
    std::erase_if(unannounced, [&](Rank one) {
      return is_down(one) || transmit(peers_.find_or_add(one), Word::leaving, Bytes{});
    });
    if (unannounced.empty() && !answers_pending_ && all_answered()) return;
    if (progress(sink, SIZE_MAX) == 0) sleep(std::min<Deadline>(deadline, Clock::now() + nap));
  } while (Clock::now() < deadline);
}

}  // namespace earl::net::ofi
