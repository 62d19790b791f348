// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/steer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "debug/analyse/aftermath.hpp"
#include "debug/analyse/alternatives.hpp"
#include "debug/analyse/candidates.hpp"
#include "debug/analyse/load.hpp"
#include "generic/base/error.hpp"

namespace earl::analyse {

namespace {

using Of = trace::PathStep::Of;

Receive const* find_posted(History const& history, Rank rank, std::uint64_t post) {
  if (index(rank) >= history.ranks.size()) return nullptr;
  for (auto const& receive : history.ranks[index(rank)].receives)
    if (receive.operation == OpKind::receive && receive.post == post) return &receive;
  return nullptr;
}

/// The receive that got the step's message in the recorded run; null: none, or one that comes after
/// the step's.
Receive const* recorded_receiver_of(History const& history, trace::PathStep const& step) {
  auto const* const matched =
      step.of == Of::receive ? find_posted(history, step.rank, step.number) : nullptr;
  if (!matched || !step.message) return nullptr;
  for (auto const& receive : history.ranks[index(step.rank)].receives)
    if (&receive != matched && receive.operation == OpKind::receive &&
        receive.source == number(step.message->source) &&
        receive.sequence == step.message->sequence)
      return receive.known_at_post <= matched->completion ? &receive : nullptr;
  return nullptr;
}

bool has_question(History const& history, trace::PathStep const& step) {
  if (index(step.rank) >= history.ranks.size()) return false;
  auto const& questions = history.ranks[index(step.rank)].questions;
  return !questions.empty() && step.number < questions.back().number + questions.back().count;
}

void check_step(std::string const& path, trace::PathStep const& step) {
  if (step.of == Of::call || (step.of == Of::receive && !step.message))
    throw Error("path {}: each step names a message or an answer, as in 0:3=2#5 or 0?4=no", path);
}

void warn_unless_sent(History const& history, trace::PathStep const& step) {
  auto const source = static_cast<std::uint32_t>(number(step.message->source));
  auto const dest = static_cast<std::uint32_t>(number(step.rank));
  if (history.find(source, dest, step.message->sequence) != none) return;
  fmt::print(stderr,
             "earl: the recorded run sent no message {} from rank {} to rank {}; if this one sends "
             "none, rank {} waits for it without end\n",
             step.message->sequence, source, dest, dest);
}

}  // namespace

trace::Path with_exchanges(History const& history, trace::Path const& path) {
  auto whole = path;
  for (auto const& step : path) {
    auto const* const receive = recorded_receiver_of(history, step);
    if (!receive) continue;
    auto const is_it = [&](trace::PathStep const& other) {
      return other.of == Of::receive && other.rank == step.rank && other.number == receive->post;
    };
    if (std::ranges::any_of(whole, is_it)) continue;
    auto const* const matched = find_posted(history, step.rank, step.number);
    auto const rank = static_cast<std::uint32_t>(index(step.rank));
    trace::PathStep exchange{.rank = step.rank, .number = receive->post};
    if (accepts(history, rank, receive->filter, matched->message))
      exchange.message = MessageId{Rank{matched->source}, matched->sequence};
    whole.push_back(exchange);
  }
  return whole;
}

trace::Path with_consequences(History const& history, trace::Path const& path) {
  auto whole = with_exchanges(history, path);
  Aftermath(history, whole).append_to(whole);
  return whole;
}

std::string steer(std::string const& folder, std::string const& path) {
  auto const history = load_history(folder);
  auto const steps = trace::parse_path(path);
  bool known = false;
  for (auto const& step : steps) {
    check_step(path, step);
    known = known ||
            (step.of == Of::question ? has_question(history, step)
                                     : find_posted(history, step.rank, step.number) != nullptr);
    if (step.message) warn_unless_sent(history, step);
  }
  // The receives after the first one may exist only in the new run.
  if (!known)
    throw Error(
        "path {}: the run in {} has no such receive or question; `earl races --json` numbers "
        "receives",
        path, folder);
  return trace::to_text(with_consequences(history, steps));
}

std::string path_to_flip(std::string const& folder, std::uint64_t number) {
  auto history = load_history(folder);
  auto const races = find_races(history);
  if (number == 0 || number > races.size())
    throw Error("{} has no race {}: `earl races` shows {}", folder, number,
                races.empty() ? "none" : fmt::format("those from 1 to {}", races.size()));
  auto const& race = races[number - 1];
  auto const step = step_to(history, race, race.others.front());
  if (!step) throw Error("race {} is of a handler, which cannot be forced", number);
  return trace::to_text(*step);
}

}  // namespace earl::analyse
