// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/aftermath.hpp"

#include <algorithm>
#include <utility>

namespace earl::analyse {

using Of = trace::PathStep::Of;

Aftermath::Aftermath(History const& history, trace::Path path)
    : history_(history), path_(std::move(path)), ranks_(history.ranks.size()) {
  follow();
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) add_open(rank);
}

void Aftermath::append_to(trace::Path& path) const {
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    if (ranks_[rank].completion == none) continue;
    auto const who = Rank{static_cast<std::int32_t>(rank)};
    path.push_back({.rank = who, .number = ranks_[rank].call, .of = Of::call});
    for (auto const& receive : history_.ranks[rank].receives)
      if (receive.at.call < ranks_[rank].call && is_freed(rank, receive))
        path.push_back({.rank = who, .number = receive.post});
  }
}

bool Aftermath::keeps(std::uint32_t rank, Receive const& receive) const {
  if (names(rank, receive)) return false;
  auto const& own = ranks_[rank];
  if (own.completion == none || receive.completion < own.completion) return true;
  return receive.at.call < own.call && is_after(rank, receive) && !is_freed(rank, receive);
}

/// A receive that was posted before and completed after. It keeps its message where that is sent in
/// any case, because it would take what is meant for one that is posted later.
bool Aftermath::is_freed(std::uint32_t rank, Receive const& receive) const {
  return is_after(rank, receive) && !names(rank, receive) &&
         (receive.message == none || is_sent_after(receive.message));
}

bool Aftermath::is_sent_after(std::uint32_t message) const {
  auto const& sent = history_.messages[message];
  return sent.own > ranks_[sent.source].completion;
}

bool Aftermath::names(std::uint32_t rank, Receive const& receive) const {
  return receive.operation == OpKind::receive &&
         std::ranges::any_of(path_, [&](trace::PathStep const& step) {
           return step.of == Of::receive && index(step.rank) == rank && step.number == receive.post;
         });
}

trace::PathStep const* Aftermath::names(std::uint32_t rank, Question const& question) const {
  trace::PathStep const* first = nullptr;
  for (auto const& step : path_)
    if (step.of == Of::question && index(step.rank) == rank && step.number >= question.number &&
        step.number < question.number + question.count && (!first || step.number < first->number))
      first = &step;
  return first;
}

/// Posted ones that never completed are, too.
bool Aftermath::is_after(std::uint32_t rank, Receive const& receive) const {
  return receive.completion >= ranks_[rank].completion &&
         (receive.operation == OpKind::receive || receive.operation == OpKind::handler);
}

/// None: nothing that the path names was complete then.
Aftermath::Beginning Aftermath::beginning_at(Join const& join, std::uint32_t completion) const {
  auto const& own = history_.ranks[join.rank];
  if (join.question != none) {
    auto const& question = own.questions[join.question];
    if (auto const* const step = names(join.rank, question))
      return {.completion = completion,
              .call = join.call - (question.number + question.count - 1 - step->number)};
  }
  if (join.receive != none && names(join.rank, own.receives[join.receive]))
    return {.completion = completion, .call = join.call};
  return {};
}

void Aftermath::follow() {
  std::vector<std::uint32_t> done(ranks_.size());
  std::uint32_t cause = 0;
  for (auto const& join : history_.joins) {
    auto& own = ranks_[join.rank];
    bool known = false;
    for (; cause < join.causes; ++cause) {
      auto const& from = history_.causes[cause];
      known = known || from.completions > ranks_[from.rank].completion;
    }
    auto const completion = done[join.rank]++;
    if (own.completion != none) continue;
    own = beginning_at(join, completion);
    if (known && own.completion == none) own = {.completion = completion, .call = join.call};
  }
}

/// A receive of the path that never completed.
void Aftermath::add_open(std::uint32_t rank) {
  auto const& own = history_.ranks[rank];
  for (auto const& receive : own.receives)
    if (ranks_[rank].completion == none && receive.completion == none && names(rank, receive))
      ranks_[rank] = {.completion = own.completions, .call = receive.at.call};
}

}  // namespace earl::analyse
