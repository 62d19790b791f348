// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/blocked.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace earl::analyse {

namespace {

std::uint32_t open_receive(RankHistory const& rank) {
  for (auto i = static_cast<std::uint32_t>(rank.receives.size()); i > 0; --i) {
    auto const& receive = rank.receives[i - 1];
    if (receive.at.call != rank.last.call) return none;
    if (receive.source == number(no_rank) && !receive.cancelled) return i - 1;
  }
  return none;
}

}  // namespace

std::vector<BlockedCall> blocked_calls(History const& history) {
  std::vector<BlockedCall> calls;
  if (history.deadlock.empty()) return calls;
  for (std::uint32_t i = 0; i < history.ranks.size(); ++i) {
    auto const& rank = history.ranks[i];
    if (!rank.present || rank.ended || rank.last.call == 0) continue;
    calls.push_back({.rank = i, .at = rank.last, .receive = open_receive(rank)});
  }
  return calls;
}

std::string place_text(BlockedCall const& call, History const& history, StepTexts& texts) {
  auto text =
      fmt::format("event {}: {}", call.at.call, texts.sites().call_text(call.rank, call.at.site));
  if (call.receive != none)
    text += fmt::format(" ({})",
                        texts.asked(call.rank, history.ranks[call.rank].receives[call.receive]));
  return text;
}

void print_blocked(History const& history) {
  if (history.deadlock.empty()) return;
  fmt::print("the run ended in a deadlock; `earl show` prints the report\n");
  StepTexts texts(history);
  for (auto const& call : blocked_calls(history))
    fmt::print("  rank {} waits in {}\n", call.rank, place_text(call, history, texts));
}

}  // namespace earl::analyse
