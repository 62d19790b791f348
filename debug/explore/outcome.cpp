// SPDX-License-Identifier: BSD-3-Clause
#include "debug/explore/outcome.hpp"

#include <algorithm>

#include "debug/analyse/alternatives.hpp"

namespace earl::explore {

using analyse::History;
using analyse::none;
using analyse::RankHistory;
using trace::PathStep;

namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
  return hash ^ hash >> 29;
}

std::uint64_t mixed(std::uint64_t hash, Entry const& entry) {
  hash = mixed(hash, static_cast<std::uint64_t>(entry.kind) + 1);
  hash = mixed(hash, entry.number);
  hash = mixed(hash, static_cast<std::uint64_t>(entry.source));
  hash = mixed(hash, entry.sequence);
  for (auto const position : entry.positions)
    hash = mixed(hash, static_cast<std::uint64_t>(position) + 1);
  return hash;
}

void add(RankOutcome& own, Entry const& entry) {
  own.entries.push_back(entry);
  own.prefixes.push_back(mixed(own.prefixes.back(), entry));
}

Entry yes_to(analyse::Question const& question) {
  return {.kind = Entry::Kind::yes,
          .source = question.source,
          .sequence = question.sequence,
          .positions = question.positions};
}

bool is_demanded(PathStep const& step, Entry const& answer) {
  if (step.answer == PathStep::Answer::no) return answer.kind == Entry::Kind::no;
  if (answer.kind != Entry::Kind::yes) return false;
  if (step.message)
    return answer.source == number(step.message->source) &&
           answer.sequence == step.message->sequence;
  auto const signed_one = [](std::uint32_t position) {
    return static_cast<std::int32_t>(position);
  };
  return step.positions.empty() ||
         std::ranges::equal(step.positions, answer.positions, {}, signed_one);
}

bool took(History const& history, PathStep const& step) {
  if (index(step.rank) >= history.ranks.size()) return false;
  auto const& own = history.ranks[index(step.rank)];
  if (step.of == PathStep::Of::question)
    return std::ranges::any_of(own.questions, [&](analyse::Question const& question) {
      bool const asked =
          step.number >= question.number && step.number < question.number + question.count;
      return asked &&
             is_demanded(step, question.yes ? yes_to(question) : Entry{.kind = Entry::Kind::no});
    });
  return std::ranges::any_of(own.receives, [&](analyse::Receive const& receive) {
    return receive.operation == OpKind::receive && receive.post == step.number &&
           receive.source == number(step.message->source) &&
           receive.sequence == step.message->sequence;
  });
}

void add_question(RankOutcome& own, analyse::Question const& question,
                  analyse::MissCounter& misses) {
  auto const missed = misses.counted(question);
  for (std::uint64_t i = 0; i < missed; ++i) add(own, {.kind = Entry::Kind::no});
  if (question.yes) add(own, yes_to(question));
}

void add_join(RankOutcome& own, RankHistory const& rank, analyse::Join const& join,
              analyse::MissCounter& misses) {
  own.places.push_back(static_cast<std::uint32_t>(own.entries.size()));
  if (join.question != none) return add_question(own, rank.questions[join.question], misses);
  if (join.receive == none) return add(own, {});
  auto const& receive = rank.receives[join.receive];
  add(own, {.kind = Entry::Kind::receive,
            .number = receive.post,
            .source = receive.source,
            .sequence = receive.sequence});
}

}  // namespace

std::map<std::uint64_t, MessageId> messages_of(RankHistory const& rank) {
  std::map<std::uint64_t, MessageId> messages;
  for (auto const& receive : rank.receives)
    if (receive.operation == OpKind::receive && receive.source >= 0)
      messages[receive.post] = {Rank{receive.source}, receive.sequence};
  return messages;
}

Outcome::Outcome(History const& history) : ranks(history.ranks.size()) {
  std::vector<analyse::MissCounter> misses(ranks.size());
  for (auto const& join : history.joins)
    add_join(ranks[join.rank], history.ranks[join.rank], join, misses[join.rank]);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    auto& own = ranks[rank];
    own.messages = messages_of(history.ranks[rank]);
    key = mixed(key, own.prefixes.back());
    for (auto const& [post, message] : own.messages)
      key = mixed(mixed(mixed(key, post), static_cast<std::uint64_t>(number(message.source))),
                  message.sequence);
  }
}

bool took(History const& history, trace::Path const& path) {
  return std::ranges::all_of(path, [&](PathStep const& step) {
    bool const demands = step.message || step.of == PathStep::Of::question;
    return !demands || took(history, step);
  });
}

Constraint::Constraint(History const& history, Outcome const& outcome,
                       analyse::Aftermath const& after, PathStep step)
    : step_(std::move(step)), prefixes_(history.ranks.size()) {
  for (std::uint32_t rank = 0; rank < history.ranks.size(); ++rank) {
    auto const& own = outcome.ranks[rank];
    auto const cut = after.cut(rank);
    auto& prefix = prefixes_[rank];
    prefix.entries =
        cut < own.places.size() ? own.places[cut] : static_cast<std::uint32_t>(own.entries.size());
    if (index(step_.rank) == rank && step_.of == PathStep::Of::question) {
      // Within a row of answers "no".
      for (auto const& question : history.ranks[rank].questions)
        if (question.completion == cut && step_.number >= question.number)
          prefix.entries += static_cast<std::uint32_t>(step_.number - question.number);
      entry_ = prefix.entries;
    }
    prefix.entries = std::min(prefix.entries, static_cast<std::uint32_t>(own.entries.size()));
    prefix.hash = own.prefixes[prefix.entries];
    for (auto const& receive : history.ranks[rank].receives)
      if (receive.operation == OpKind::receive && receive.source >= 0 &&
          receive.completion >= cut && cut != none && after.keeps(rank, receive))
        kept_.push_back({.rank = rank,
                         .post = receive.post,
                         .message = {Rank{receive.source}, receive.sequence}});
  }
}

bool Constraint::takes_step(Outcome const& outcome) const {
  auto const rank = index(step_.rank);
  if (rank >= outcome.ranks.size()) return false;
  auto const& own = outcome.ranks[rank];
  // Most outcomes differ here already, and a search compares all with all.
  if (rank < prefixes_.size() && !allows_rank(static_cast<std::uint32_t>(rank), own)) return false;
  if (step_.of == PathStep::Of::question)
    return entry_ < own.entries.size() && is_demanded(step_, own.entries[entry_]);
  auto const found = own.messages.find(step_.number);
  return found != own.messages.end() && step_.message && found->second == *step_.message;
}

bool Constraint::allows_rank(std::uint32_t rank, RankOutcome const& own) const {
  auto const& prefix = prefixes_[rank];
  return own.prefixes.size() > prefix.entries && own.prefixes[prefix.entries] == prefix.hash;
}

bool Constraint::allows(Outcome const& outcome) const {
  if (!takes_step(outcome) || outcome.ranks.size() < prefixes_.size()) return false;
  for (std::uint32_t rank = 0; rank < prefixes_.size(); ++rank)
    if (!allows_rank(rank, outcome.ranks[rank])) return false;
  return std::ranges::all_of(kept_, [&](Kept const& kept) {
    auto const& own = outcome.ranks[kept.rank].messages;
    auto const found = own.find(kept.post);
    return found != own.end() && found->second == kept.message;
  });
}

}  // namespace earl::explore
