// SPDX-License-Identifier: BSD-3-Clause
#include "debug/explore/matching.hpp"

#include <algorithm>

#include "debug/analyse/alternatives.hpp"

namespace earl::explore {

using analyse::accepts;
using analyse::History;
using analyse::none;
using analyse::RankHistory;
using analyse::Receive;

namespace {

/// The receives of one rank, in the order in which they were posted.
class Matching {
 public:
  Matching(History const& history, std::uint32_t rank)
      : history_(history), rank_(rank), own_(history.ranks[rank]), first_(own_.inbound.size()) {}

  bool is_in_order(bool at_rest) {
    for (std::uint32_t i = 0; i < own_.receives.size(); ++i) {
      if (!is_plain(own_.receives[i])) continue;
      if (!has_first_of_channel(i) || !leaves_nothing_behind(i)) return false;
      if (at_rest && waits_for_what_is_there(own_.receives[i])) return false;
    }
    return true;
  }

 private:
  /// Handlers take messages at their own times.
  bool is_plain(Receive const& receive) const {
    return receive.filter < own_.filters.size() && !own_.filters[receive.filter].contested &&
           !receive.cancelled;
  }

  bool has_first_of_channel(std::uint32_t i) {
    auto const& receive = own_.receives[i];
    if (receive.message == none) return true;
    auto const source = history_.messages[receive.message].source;
    auto const channel = std::ranges::find(own_.inbound, source, &analyse::Channel::source);
    auto& first = first_[static_cast<std::size_t>(channel - own_.inbound.begin())];
    auto const is_gone = [&](std::uint32_t message) {
      auto const& sent = history_.messages[message];
      return sent.taken_back || (sent.matched_by != none && sent.matched_by < i);
    };
    while (is_gone(channel->messages[first])) ++first;
    for (auto at = first; channel->messages[at] != receive.message; ++at)
      if (!is_gone(channel->messages[at]) &&
          accepts(history_, rank_, receive.filter, channel->messages[at]))
        return false;
    return true;
  }

  /// No receive that was posted while this one waited has a message that it would have taken.
  bool leaves_nothing_behind(std::uint32_t i) const {
    auto const& receive = own_.receives[i];
    if (receive.operation != OpKind::receive || receive.source == number(exec_rank)) return true;
    for (auto j = i + 1; j < own_.receives.size(); ++j) {
      auto const& later = own_.receives[j];
      if (later.known_at_post > receive.completion) return true;
      if (!accepts(history_, rank_, receive.filter, later.message)) continue;
      bool const waited =
          receive.message == none || history_.messages[receive.message].known > later.completion;
      if (waited) return false;
    }
    return true;
  }

  bool waits_for_what_is_there(Receive const& receive) const {
    auto const is_there = [&](std::uint32_t message) {
      auto const& sent = history_.messages[message];
      return sent.matched_by == none && !sent.taken_back &&
             accepts(history_, rank_, receive.filter, message);
    };
    return receive.operation == OpKind::receive && receive.source == number(no_rank) &&
           std::ranges::any_of(own_.inbound, [&](analyse::Channel const& channel) {
             return std::ranges::any_of(channel.messages, is_there);
           });
  }

  History const& history_;
  std::uint32_t rank_;
  RankHistory const& own_;
  std::vector<std::size_t> first_;  ///< by channel: before it all are gone
};

}  // namespace

bool matches_in_order(History const& history, bool at_rest) {
  for (std::uint32_t rank = 0; rank < history.ranks.size(); ++rank)
    if (!Matching(history, rank).is_in_order(at_rest)) return false;
  return true;
}

}  // namespace earl::explore
