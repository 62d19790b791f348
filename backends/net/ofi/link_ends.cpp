// SPDX-License-Identifier: BSD-3-Clause
/// How processes leave, and the drain of killed ones.
#include <algorithm>
#include <utility>

#include "backends/net/ofi/link.hpp"

namespace earl::net::ofi {

namespace {

/// Data that a killed process's system had taken arrives by then: both ends are this host.
constexpr std::chrono::milliseconds drain_time{50};
/// By then EXEC has said that a process has ended which is not reached any more.
constexpr std::chrono::milliseconds obituary{500};
/// Interval between two polls of peers that have not answered yet.
constexpr std::chrono::microseconds nap{100};

}  // namespace

void OfiLink::suspect(Rank rank, char const* words) {
  suspects_.push_back({.rank = rank, .words = words, .until = Clock::now() + obituary});
}

/// A peer that has left or ended has lost nothing that is missed. An unreachable peer is down, so
/// that this process need not wait for it before it ends.
void OfiLink::judge(FrameSink& sink) {
  auto const now = Clock::now();
  std::erase_if(suspects_,
                [&](Suspect const& one) { return is_down(one.rank) || peer(one.rank).left; });
  auto const at =
      std::ranges::find_if(suspects_, [&](auto const& one) { return one.until <= now; });
  if (at == suspects_.end()) return;
  auto const found = *at;
  peer(found.rank).lost = lost_any_ = true;
  say_down(found.rank, found.words, sink);
  throw Error("libfabric ({}) has lost messages to or from {}: {}", calls_.provider(ofi_),
              board_->describe(found.rank), found.words);
}

bool OfiLink::is_lost(Rank rank) const {
  return index(rank) < peers_.size() && peers_[index(rank)] && peers_[index(rank)]->lost;
}

void OfiLink::say_down(Rank rank, std::string_view why, FrameSink& sink) {
  if (!std::exchange(peer(rank).reported, true)) sink.down(rank, why);
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
  to.owes_answer = !is_down(to.rank) && !ship(to, Word::leaving_seen, Bytes{});
  in_debt_ |= to.owes_answer;
}

/// Includes peers without contact so far: their frames may still arrive.
std::size_t OfiLink::observe_deaths() {
  auto const deaths = board_->head().deaths.load(std::memory_order_acquire);
  std::size_t handled = 0;
  for (; deaths_ != deaths; ++deaths_, ++handled) {
    Peer& dead = peer(board_->dead(deaths_));
    if (std::exchange(dead.end_noticed, true)) continue;
    dying_.push_back(
        {.rank = dead.rank, .until = dead.left ? Deadline{} : Clock::now() + drain_time});
  }
  return handled;
}

/// Nothing is here now.
std::size_t OfiLink::mark_ended(FrameSink& sink) {
  const Deadline now = Clock::now();
  std::size_t events = 0;
  for (std::size_t i = dying_.size(); i-- > 0;) {
    if (dying_[i].until > now) continue;
    Peer& dead = peer(dying_[i].rank);
    dying_.erase(dying_.begin() + static_cast<std::ptrdiff_t>(i));
    ++events;
    say_down(dead.rank, dead.left ? "" : "its process has ended", sink);
  }
  return events;
}

bool OfiLink::all_answered() {
  return std::ranges::all_of(peers_, [&](auto const& one) {
    return !one || one->sent == 0 || one->answered || one->left || is_down(one->rank);
  });
}

/// Data in this process's memory would be lost with it: so it stays until its peers have answered,
/// but does not wait for one that computes for long.
void OfiLink::close(Deadline deadline) {
  if (!ofi_) return;
  drain(deadline);
  shut();
}

void OfiLink::drain(Deadline deadline) {
  DiscardingFrameSink sink;
  std::vector<Peer*> unannounced;
  for (auto const& one : peers_)
    if (one && one->sent != 0) unannounced.push_back(one.get());
  while (Clock::now() < deadline) {
    std::erase_if(unannounced, [&](Peer* one) {
      return is_down(one->rank) || ship(*one, Word::leaving, Bytes{});
    });
    if (unannounced.empty() && !in_debt_ && all_answered()) return;
    if (progress(sink, SIZE_MAX) == 0) sleep(std::min<Deadline>(deadline, Clock::now() + nap));
  }
}

}  // namespace earl::net::ofi
