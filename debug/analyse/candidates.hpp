// SPDX-License-Identifier: BSD-3-Clause
/// The messages that a receive could have got instead of the one it got.
#pragma once

#include <functional>

#include "debug/analyse/history.hpp"

namespace earl::analyse {

/// The receives of one rank, in the order they were posted. A message is a candidate when the
/// receive accepts it, its sender did not know that the receive was complete, nothing that the
/// receive also accepts is before it in its channel, and no earlier receive has it for certain.
///
/// Exact for blocking receives within what one run can show. For receives that were posted
/// together, it may name a message that only another order of two other messages would bring, and
/// it misses some.
class Candidates {
 public:
  Candidates(History& history, std::uint32_t rank);

  /// Calls fn(message) for each of receive `i`; must be asked of all receives, in their order.
  template <class Fn>
  void of(std::uint32_t i, Fn fn) {
    auto& receive = rank_.receives[i];
    for (std::size_t channel = 0; channel < rank_.inbound.size(); ++channel) {
      pass_over_complete(receive);
      pass_over_taken(channel, receive);
      scan(channel, i, [&](std::uint32_t message) { fn(message); });
    }
  }

 private:
  void pass_over_complete(Receive const& at);
  void pass_over_taken(std::size_t channel, Receive const& at);
  template <class Fn>
  void scan(std::size_t channel, std::uint32_t i, Fn fn) {
    auto const& receive = rank_.receives[i];
    if (receive.filter >= rank_.filters.size()) return;
    auto const& filter = rank_.filters[receive.filter];
    auto const& all = rank_.inbound[channel].messages;
    for (auto at = first_[channel]; at < all.size(); ++at) {
      auto const& message = history_.messages[all[at]];
      if (sender_saw_completion(message, receive)) return;
      if (message.taken_back || !accepts(filter, message)) continue;
      bool const earlier = message.matched_by < i;
      if (earlier && (is_decided(message, receive) || !rank_.receives[message.matched_by].races))
        continue;
      if (message.matched_by == i) return;
      if (earlier && is_reserved(channel, at, i)) continue;
      if (!sender_saw_other_match(message, receive)) fn(all[at]);
      if (!earlier) return;
    }
  }

  static bool accepts(events::Filter const& filter, SentMessage const& message) {
    return filter.accepts(static_cast<std::int32_t>(message.source), message.tag, message.context);
  }
  static bool sender_saw_completion(SentMessage const& message, Receive const& receive) {
    return receive.completion < message.known;
  }
  /// Earlier posts that are open and accept messages of this channel alone leave none of it: they
  /// are as many as the messages up to message `at` that they accept.
  bool is_reserved(std::size_t channel, std::size_t at, std::uint32_t i) const;
  /// The receive that took `message` was known to be complete when `receive` was posted.
  bool is_decided(SentMessage const& message, Receive const& receive) const;
  /// The end of a synchronous send tells the sender of `message` that `receive` had its message.
  bool sender_saw_other_match(SentMessage const& message, Receive const& receive) const;

  History& history_;
  RankHistory& rank_;
  std::vector<std::size_t> first_;  ///< per channel, the first that is not settled
  std::uint32_t first_open_ = 0;    ///< the receives before were known to be complete at the post
};

/// Marks the receives that race; gives how many.
std::uint64_t mark_races(History& history);

/// Whether each race is independent of all others: no other race precedes its receive or the
/// messages that it could get. By rank and receive; races are marked.
std::vector<std::vector<bool>> frontier(History& history);

/// A receive that could have got other messages.
struct Race {
  std::uint64_t number = 0;  ///< counts the races of a run from 1, by rank and post
  std::uint32_t rank = 0;
  std::uint32_t receive = 0;            ///< of the rank's
  bool frontier = false;                ///< it hangs on no other race
  std::vector<std::uint32_t> others{};  ///< messages
};

/// All of them, in order.
std::vector<Race> find_races(History& history);

}  // namespace earl::analyse
