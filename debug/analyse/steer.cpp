// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/steer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "debug/analyse/candidates.hpp"
#include "debug/analyse/load.hpp"
#include "generic/base/error.hpp"

namespace earl::analyse {

namespace {

/// Finds the events after the receives that a path names.
class Aftermath {
 public:
  Aftermath(History const& history, trace::Path path)
      : history_(history), path_(std::move(path)), ranks_(history.ranks.size()) {
    follow();
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) add_open(rank);
  }

  void append_to(trace::Path& path) const {
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      if (ranks_[rank].completion == none) continue;
      auto const who = Rank{static_cast<std::int32_t>(rank)};
      path.push_back({.rank = who, .number = ranks_[rank].call, .frees_rank = true});
      for (auto const& receive : history_.ranks[rank].receives)
        if (receive.at.call < ranks_[rank].call && is_after(rank, receive) && !named(rank, receive))
          append_earlier(path, who, receive);
    }
  }

 private:
  /// From where on all of a rank is after one of the receives.
  struct Beginning {
    std::uint32_t completion = none;  ///< none: nowhere
    std::uint64_t call = 0;
  };

  /// A receive that was posted earlier. It keeps its message if that is sent in any case, because
  /// it would otherwise take a message meant for a later receive.
  void append_earlier(trace::Path& path, Rank who, Receive const& receive) const {
    if (receive.message == none || is_sent_after(receive.message))
      path.push_back({.rank = who, .number = receive.post});
  }
  bool is_sent_after(std::uint32_t message) const {
    auto const& sent = history_.messages[message];
    return sent.own > ranks_[sent.source].completion;
  }
  bool named(std::uint32_t rank, Receive const& receive) const {
    return std::ranges::any_of(path_, [&](trace::PathStep const& step) {
      return receive.operation == OpKind::receive && index(step.rank) == rank &&
             step.number == receive.post;
    });
  }
  /// Posted ones that never completed are, too.
  bool is_after(std::uint32_t rank, Receive const& receive) const {
    return receive.completion >= ranks_[rank].completion &&
           (receive.operation == OpKind::receive || receive.operation == OpKind::handler);
  }
  void follow() {
    std::vector<std::uint32_t> done(ranks_.size());
    std::uint32_t cause = 0;
    for (auto const& join : history_.joins) {
      auto& own = ranks_[join.rank];
      bool after = join.receive != none &&
                   named(join.rank, history_.ranks[join.rank].receives[join.receive]);
      for (; cause < join.causes; ++cause) {
        auto const& from = history_.causes[cause];
        after = after || from.completions > ranks_[from.rank].completion;
      }
      auto const completion = done[join.rank]++;
      if (after && own.completion == none) own = {.completion = completion, .call = join.call};
    }
  }
  /// A receive of the path that never completed.
  void add_open(std::uint32_t rank) {
    auto const& own = history_.ranks[rank];
    for (auto const& receive : own.receives)
      if (ranks_[rank].completion == none && receive.completion == none && named(rank, receive))
        ranks_[rank] = {.completion = own.completions, .call = receive.at.call};
  }

  History const& history_;
  trace::Path path_;
  std::vector<Beginning> ranks_;
};

Receive const* find_posted(History const& history, Rank rank, std::uint64_t post) {
  if (index(rank) >= history.ranks.size()) return nullptr;
  for (auto const& receive : history.ranks[index(rank)].receives)
    if (receive.operation == OpKind::receive && receive.post == post) return &receive;
  return nullptr;
}

/// The receive that got the step's message in the recorded run; null: none, or one that comes after
/// the step's.
Receive const* robbed(History const& history, trace::PathStep const& step) {
  auto const* const taker = find_posted(history, step.rank, step.number);
  if (!taker || !step.message) return nullptr;
  for (auto const& receive : history.ranks[index(step.rank)].receives)
    if (&receive != taker && receive.operation == OpKind::receive &&
        receive.source == number(step.message->source) &&
        receive.sequence == step.message->sequence)
      return receive.known_at_post <= taker->completion ? &receive : nullptr;
  return nullptr;
}

/// A receive whose message the path gives to another receive gets the other one's message.
trace::Path with_exchanges(History const& history, trace::Path const& path) {
  auto whole = path;
  for (auto const& step : path) {
    auto const* const receive = robbed(history, step);
    if (!receive) continue;
    auto const is_it = [&](trace::PathStep const& other) {
      return other.rank == step.rank && other.number == receive->post;
    };
    if (std::ranges::any_of(whole, is_it)) continue;
    auto const* const taker = find_posted(history, step.rank, step.number);
    trace::PathStep exchange{.rank = step.rank, .number = receive->post};
    if (taker->source >= 0) exchange.message = MessageId{Rank{taker->source}, taker->sequence};
    whole.push_back(exchange);
  }
  return whole;
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
    if (!step.message) throw Error("path {}: each step names a message, as in 0:3=2#5", path);
    known = known || find_posted(history, step.rank, step.number);
    warn_unless_sent(history, step);
  }
  // The receives after the first one may exist only in the new run.
  if (!known)
    throw Error("path {}: the run in {} has no such receive; `earl races --json` numbers them",
                path, folder);
  return trace::in_words(with_consequences(history, steps));
}

std::string path_to_flip(std::string const& folder, std::uint64_t number) {
  auto history = load_history(folder);
  auto const races = find_races(history);
  if (number == 0 || number > races.size())
    throw Error("{} has no race {}: `earl races` shows {}", folder, number,
                races.empty() ? "none" : fmt::format("those from 1 to {}", races.size()));
  auto const& race = races[number - 1];
  auto const& receive = history.ranks[race.rank].receives[race.receive];
  if (receive.operation != OpKind::receive)
    throw Error("race {} is of a probe or a handler, which cannot be forced", number);
  auto const& other = history.messages[race.others.front()];
  return trace::in_words(
      {{.rank = Rank{static_cast<std::int32_t>(race.rank)},
        .number = receive.post,
        .message = MessageId{Rank{static_cast<std::int32_t>(other.source)}, other.sequence}}});
}

}  // namespace earl::analyse
