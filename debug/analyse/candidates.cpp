// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/candidates.hpp"

namespace earl::analyse {

Candidates::Candidates(History& history, std::uint32_t rank)
    : history_(history), rank_(history.ranks[rank]), first_(rank_.inbound.size()) {}

void Candidates::pass_over_taken(std::size_t channel, Receive const& at) {
  auto const& all = rank_.inbound[channel].messages;
  auto& first = first_[channel];
  while (first < all.size()) {
    auto const& message = history_.messages[all[first]];
    if (!message.taken_back && (message.matched_by == none ||
                                rank_.receives[message.matched_by].completion >= at.known_at_post))
      return;
    ++first;
  }
}

bool Candidates::is_decided(SentMessage const& message, Receive const& receive) const {
  auto const& matched = rank_.receives[message.matched_by];
  if (matched.completion < receive.known_at_post) return true;
  return message.over != none && receive.clock && message.over < (*receive.clock)[message.source];
}

bool Candidates::sender_saw_other_match(SentMessage const& message, Receive const& receive) const {
  if (receive.message == none || !message.clock) return false;
  auto const& got = history_.messages[receive.message];
  return got.over != none && got.over < (*message.clock)[got.source];
}

std::uint64_t mark_races(History& history) {
  std::uint64_t races = 0;
  for (std::uint32_t rank = 0; rank < history.ranks.size(); ++rank) {
    Candidates candidates(history, rank);
    auto& receives = history.ranks[rank].receives;
    for (std::uint32_t i = 0; i < receives.size(); ++i) {
      if (receives[i].source == number(no_rank)) continue;
      candidates.of(i, [&](std::uint32_t) { receives[i].races = true; });
      races += receives[i].races ? 1U : 0U;
    }
  }
  return races;
}

}  // namespace earl::analyse
