// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/history.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "debug/analyse/causes.hpp"
#include "debug/trace/describe.hpp"
#include "generic/services/exec_messages.hpp"

namespace earl::analyse {

namespace {

std::uint32_t find_in(Channel const& channel, std::vector<SentMessage> const& messages,
                      std::uint64_t sequence) {
  auto const& all = channel.messages;
  if (all.empty()) return none;
  auto const guess = sequence - messages[all.front()].sequence;
  if (guess < all.size() && messages[all[guess]].sequence == sequence) return all[guess];
  auto const found = std::ranges::lower_bound(
      all, sequence, {}, [&](std::uint32_t message) { return messages[message].sequence; });
  return found != all.end() && messages[*found].sequence == sequence ? *found : none;
}

/// Matches receives with messages, once all sends are known.
void link(History& history) {
  for (std::uint32_t dest = 0; dest < history.ranks.size(); ++dest) {
    auto& receives = history.ranks[dest].receives;
    for (std::uint32_t i = 0; i < receives.size(); ++i) {
      auto& one = receives[i];
      if (one.source < 0) continue;
      one.message = history.find(static_cast<std::uint32_t>(one.source), dest, one.sequence);
      if (one.message != none) history.messages[one.message].matched_by = i;
    }
  }
}

}  // namespace

std::string RankHistory::exec_message_text(Receive const& receive) const {
  auto const subject = notices.find(receive.sequence);
  return fmt::format(
      "{} (tag {})",
      subject == notices.end() ? "a message of EXEC" : trace::notification_text(subject->second),
      number(ExecMessages::tag_of({exec_rank, receive.sequence})));
}

std::string RankHistory::text_of(events::Filter const& filter) const {
  return filter.to_text(filter.any_context ? std::string_view{} : label_of(filter.context));
}

std::string_view RankHistory::label_of(std::uint64_t context) const {
  auto const found = labels.find(context);
  return found == labels.end() ? std::string_view{} : found->second;
}

std::uint32_t History::find(std::uint32_t source, std::uint32_t dest,
                            std::uint64_t sequence) const {
  if (dest >= ranks.size()) return none;
  for (auto const& channel : ranks[dest].inbound)
    if (channel.source == source) return find_in(channel, messages, sequence);
  return none;
}

History read_history(std::vector<Source> sources, std::uint32_t initial) {
  History history;
  Causes causes(history, std::move(sources), initial);
  causes.read_all();
  link(history);
  return history;
}

}  // namespace earl::analyse
