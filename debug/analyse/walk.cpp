// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "debug/analyse/blocked.hpp"
#include "debug/trace/describe.hpp"

namespace earl::analyse {

namespace {

/// Completions come in a causal order; sends come before those that follow in their rank, and
/// before the receive that has their message.
class Merger {
 public:
  explicit Merger(History const& history)
      : history_(history), sends_(history.ranks.size()), sent_(history.ranks.size()) {
    for (std::uint32_t i = 0; i < history.messages.size(); ++i)
      sends_[history.messages[i].source].push_back(i);
  }

  std::vector<WalkStep> merge() {
    std::vector<std::uint32_t> completions(history_.ranks.size());
    for (auto const& join : history_.joins) {
      auto const own = completions[join.rank]++;
      send_while(join.rank,
                 [&](std::uint32_t message) { return history_.messages[message].own <= own; });
      if (join.receive != none) receive(join);
    }
    for (std::uint32_t rank = 0; rank < sends_.size(); ++rank)
      send_while(rank, [](std::uint32_t) { return true; });
    return std::move(steps_);
  }

 private:
  template <class Condition>
  void send_while(std::uint32_t rank, Condition condition) {
    auto const& own = sends_[rank];
    for (auto& at = sent_[rank]; at < own.size() && condition(own[at]); ++at)
      steps_.push_back(
          {.rank = rank, .step = {.at = history_.messages[own[at]].at, .message = own[at]}});
  }
  /// Its call is the one that completed it, which may be later than the one that posted it.
  void receive(Join const& join) {
    auto const& one = history_.ranks[join.rank].receives[join.receive];
    if (one.source == earl::number(no_rank)) return;
    if (one.message != none)
      send_while(history_.messages[one.message].source,
                 [&](std::uint32_t message) { return message <= one.message; });
    steps_.push_back({.rank = join.rank,
                      .step = {.at = {.site = one.at.site, .call = join.call},
                               .receive = join.receive,
                               .message = one.message}});
  }

  History const& history_;
  std::vector<std::vector<std::uint32_t>> sends_;  ///< by rank
  std::vector<std::size_t> sent_;
  std::vector<WalkStep> steps_{};
};

}  // namespace

std::vector<WalkStep> walk_of(History const& history) { return Merger(history).merge(); }

Walk::Walk(History history)
    : history_(std::move(history)), texts_(history_), steps_(walk_of(history_)) {}

std::string Walk::to_text(WalkStep const& one) {
  return fmt::format("rank {}, event {}: {}", one.rank, one.step.at.call,
                     texts_.of(one.rank, one.step));
}

std::string Walk::last() { return done_ == 0 ? "" : to_text(steps_[done_ - 1]); }

std::string const& Walk::call_of(std::size_t step) {
  return texts_.sites().call_text(steps_[step].rank, steps_[step].step.at.site);
}

std::optional<std::size_t> Walk::next_of(std::uint32_t rank) const {
  for (auto i = done_; i < steps_.size(); ++i)
    if (steps_[i].rank == rank) return i;
  return std::nullopt;
}

std::optional<std::size_t> Walk::last_of(std::uint32_t rank) const {
  for (auto i = done_; i > 0; --i)
    if (steps_[i - 1].rank == rank) return i - 1;
  return std::nullopt;
}

bool Walk::pass_next_of(std::uint32_t rank) {
  auto const next = next_of(rank);
  if (next) done_ = *next + 1;
  return next.has_value();
}

bool Walk::go_before(std::uint32_t rank, std::uint64_t event) {
  auto const found = std::ranges::find_if(
      steps_, [&](WalkStep const& one) { return one.rank == rank && one.step.at.call >= event; });
  if (found == steps_.end()) return false;
  done_ = static_cast<std::size_t>(found - steps_.begin());
  return true;
}

std::uint64_t Walk::event_of(std::uint32_t rank) const {
  auto const next = next_of(rank);
  return next ? event_at(*next) : history_.ranks[rank].calls;
}

std::vector<std::string> Walk::where() {
  auto const blocked = blocked_calls(history_);
  std::vector<std::string> lines;
  for (std::uint32_t rank = 0; rank < history_.ranks.size(); ++rank) {
    auto const next = next_of(rank);
    auto const waits = std::ranges::find(blocked, rank, &BlockedCall::rank);
    if (next)
      lines.push_back(
          fmt::format("rank {}: before event {}: {}", rank, event_at(*next), call_of(*next)));
    else if (waits != blocked.end())
      lines.push_back(
          fmt::format("rank {}: waits for ever in {}", rank, place_text(*waits, history_, texts_)));
    else
      lines.push_back(fmt::format("rank {}: after its last message; it made {}", rank,
                                  trace::counted(history_.ranks[rank].calls, "call", "calls")));
  }
  return lines;
}

std::vector<std::string> Walk::queue_of(std::uint32_t receiver) {
  std::vector<bool> there(history_.messages.size());
  for (auto const& one : std::span{steps_}.first(done_))
    if (one.step.message != none) there[one.step.message] = one.step.receive == none;
  std::vector<std::string> lines;
  for (std::uint32_t i = 0; i < there.size(); ++i) {
    auto const& message = history_.messages[i];
    if (!there[i] || message.taken_back || message.dest != receiver) continue;
    lines.push_back(
        fmt::format("message {} of rank {}: {} (event {}, tag {}, {})", message.sequence,
                    message.source, texts_.sites().call_text(message.source, message.at.site),
                    message.at.call, message.tag, trace::counted(message.length, "byte", "bytes")));
  }
  return lines;
}

std::vector<std::string> Walk::queues() {
  std::vector<std::string> lines;
  for (std::uint32_t rank = 0; rank < history_.ranks.size(); ++rank)
    for (auto const& message : queue_of(rank))
      lines.push_back(fmt::format("for rank {}: {}", rank, message));
  return lines;
}

}  // namespace earl::analyse
