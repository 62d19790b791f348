// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "debug/trace/describe.hpp"

namespace earl::analyse {

std::vector<Steps> steps_of(History const& history) {
  std::vector<Steps> steps(history.ranks.size());
  for (std::size_t rank = 0; rank < steps.size(); ++rank) {
    auto const& receives = history.ranks[rank].receives;
    for (std::uint32_t i = 0; i < receives.size(); ++i)
      steps[rank].push_back({.at = receives[i].at, .receive = i, .message = receives[i].message});
  }
  for (std::uint32_t i = 0; i < history.messages.size(); ++i)
    steps[history.messages[i].source].push_back({.at = history.messages[i].at, .message = i});
  for (auto& own : steps)
    std::ranges::stable_sort(own, {}, [](Step const& step) { return step.at.call; });
  return steps;
}

namespace {

/// A hash of a sequence of numbers (FNV-1a, by numbers in place of bytes).
class SequenceHash {
 public:
  void add(std::uint64_t number) {
    value_ = (value_ ^ number) * 0x100000001b3ULL;
    value_ ^= value_ >> 29;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

/// By rank.
std::vector<std::uint64_t> meetings_of(History const& history) {
  std::vector<std::uint64_t> counts(history.ranks.size());
  for (auto const& join : history.joins)
    if (join.receive == none && join.question == none) ++counts[join.rank];
  return counts;
}

}  // namespace

std::vector<std::uint32_t> equal_ranks(History const& history, std::vector<Steps> const& steps,
                                       Sites& sites) {
  auto const meetings = meetings_of(history);
  std::map<std::pair<std::uint64_t, std::size_t>, std::uint32_t> lowest;
  std::vector<std::uint32_t> equal;
  for (std::uint32_t rank = 0; rank < steps.size(); ++rank) {
    auto const& own = history.ranks[rank];
    SequenceHash hash;
    hash.add(own.present ? 1 : 0);
    hash.add(own.ended ? none : sites.number(rank, own.last.site));
    hash.add(meetings[rank]);
    for (auto const& step : steps[rank]) {
      hash.add(sites.number(rank, step.at.site));
      hash.add(step.receive == none ? 0 : 1);
    }
    equal.push_back(lowest.try_emplace({hash.value(), steps[rank].size()}, rank).first->second);
  }
  return equal;
}

std::string StepTexts::asked(std::uint32_t rank, Receive const& receive) const {
  auto const& own = history_.ranks[rank];
  return receive.filter < own.filters.size() ? own.text_of(own.filters[receive.filter])
                                             : "a handler";
}

std::string StepTexts::of_send(std::uint32_t rank, SentMessage const& message) {
  auto text = fmt::format("{} sent message {} to rank {} (tag {}, {})",
                          sites_.call_text(rank, message.at.site), message.sequence, message.dest,
                          message.tag, trace::counted(message.length, "byte", "bytes"));
  if (message.matched_by == none) return text + ", which was never received";
  return text;
}

std::string StepTexts::of(std::uint32_t rank, Step const& step) {
  if (step.receive == none) return of_send(rank, history_.messages[step.message]);
  auto const& receive = history_.ranks[rank].receives[step.receive];
  auto const text =
      fmt::format("{} ({})", sites_.call_text(rank, receive.at.site), asked(rank, receive));
  if (step.message == none)
    return text + (receive.source == number(exec_rank)
                       ? " got " + history_.ranks[rank].exec_message_text(receive)
                       : " never got a message");
  auto const& message = history_.messages[step.message];
  return fmt::format("{} got message {} of rank {}: {} (event {}, tag {}, {})", text,
                     message.sequence, message.source,
                     sites_.call_text(message.source, message.at.site), message.at.call,
                     message.tag, trace::counted(message.length, "byte", "bytes"));
}

}  // namespace earl::analyse
