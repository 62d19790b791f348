// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/blocked.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

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

/// By rank: the receiver of a message that its last call sent, and no receive got; none: there is
/// none.
std::vector<std::uint32_t> open_sends(History const& history) {
  std::vector<std::uint32_t> receivers(history.ranks.size(), none);
  for (auto const& sent : history.messages)
    if (sent.matched_by == none && sent.at.call == history.ranks[sent.source].last.call)
      receivers[sent.source] = sent.dest;
  return receivers;
}

/// None: any process.
std::uint32_t awaited_by(RankHistory const& rank, std::uint32_t receive) {
  auto const filter = rank.receives[receive].filter;
  if (filter >= rank.filters.size()) return none;
  auto const& asked = rank.filters[filter];
  auto const source = asked.sources.size() == 1 ? asked.sources.front() : asked.source;
  return source < 0 || asked.sources.size() > 1 ? none : static_cast<std::uint32_t>(source);
}

/// A rank waits for one other at most: the smallest way around.
void mark_cycle(std::vector<KnownWait>& waits) {
  std::map<Rank, KnownWait*> of;
  for (auto& wait : waits) of[wait.waiter] = &wait;
  auto const next = [&](Rank rank) {
    auto const found = of.find(rank);
    return found == of.end() ? nullptr : found->second;
  };
  std::set<Rank> seen;
  std::vector<KnownWait*> best;
  for (auto const& [start, first] : of) {
    std::vector<KnownWait*> way;
    for (auto* at = first; at && seen.insert(at->waiter).second; at = next(at->awaited))
      way.push_back(at);
    if (way.empty()) continue;
    auto const from = std::ranges::find(way, way.back()->awaited, &KnownWait::waiter);
    std::vector<KnownWait*> const cycle(from, way.end());
    if (!cycle.empty() && (best.empty() || cycle.size() < best.size())) best = cycle;
  }
  for (auto* const wait : best) wait->in_cycle = true;
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

std::vector<KnownWait> waits_of(History const& history) {
  if (!history.waits.empty()) return history.waits;
  auto const receivers = open_sends(history);
  std::vector<KnownWait> waits;
  for (auto const& call : blocked_calls(history)) {
    auto const awaited = call.receive == none ? receivers[call.rank]
                                              : awaited_by(history.ranks[call.rank], call.receive);
    if (call.receive == none && awaited == none) continue;
    waits.push_back(
        {.waiter = Rank{static_cast<std::int32_t>(call.rank)},
         .awaited = awaited == none ? no_rank : Rank{static_cast<std::int32_t>(awaited)}});
  }
  mark_cycle(waits);
  return waits;
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
