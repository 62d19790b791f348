// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/candidates.hpp"

#include <algorithm>

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

void Candidates::pass_over_complete(Receive const& at) {
  auto const& all = rank_.receives;
  while (first_open_ < all.size() && all[first_open_].completion < at.known_at_post) ++first_open_;
}

bool Candidates::is_reserved(std::size_t channel, std::size_t at, std::uint32_t i) const {
  auto const& all = rank_.inbound[channel].messages;
  auto const& wanted = history_.messages[all[at]];
  std::vector<events::Filter const*> named;
  for (auto post = first_open_; post < i; ++post) {
    auto const& other = rank_.receives[post];
    if (other.completion < rank_.receives[i].known_at_post || other.cancelled ||
        other.filter >= rank_.filters.size())
      continue;
    auto const& filter = rank_.filters[other.filter];
    if (filter.source == static_cast<std::int32_t>(wanted.source) && accepts(filter, wanted))
      named.push_back(&filter);
  }
  std::size_t before = 0;
  for (auto other = first_[channel]; other < at && before < named.size(); ++other) {
    auto const& message = history_.messages[all[other]];
    bool const is_free = message.matched_by == none || !is_decided(message, rank_.receives[i]);
    if (is_free && !message.taken_back &&
        std::ranges::any_of(named, [&](auto const* filter) { return accepts(*filter, message); }))
      ++before;
  }
  return before < named.size();
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
