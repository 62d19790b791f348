// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/alternatives.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace earl::analyse {

using trace::PathStep;

bool accepts(History const& history, std::uint32_t rank, std::uint32_t filter,
             std::uint32_t message) {
  auto const& filters = history.ranks[rank].filters;
  if (filter >= filters.size() || message == none) return false;
  auto const& sent = history.messages[message];
  return filters[filter].accepts(static_cast<std::int32_t>(sent.source), sent.tag, sent.context);
}

std::uint64_t MissCounter::counted(Question const& question) {
  bool const in_a_row = last_ != none && question.completion == last_ + 1;
  if (!in_a_row || question.yes) by_site_.clear();
  last_ = question.completion;
  if (question.yes) return 0;
  auto& before = by_site_[question.at.site];
  // Behind the last "no" that counts, the yes is still another run.
  auto const most = most_misses(question.operation) + 1;
  auto const more = std::min(question.count, most - std::min(before, most));
  before += more;
  return more;
}

bool MissCounter::is_distinct_miss(Question const& question) const {
  if (last_ == none || question.completion != last_ + 1) return true;
  auto const before = by_site_.find(question.at.site);
  return before == by_site_.end() || before->second < most_misses(question.operation);
}

namespace {

MessageId id_of(SentMessage const& message) {
  return {.source = Rank{static_cast<std::int32_t>(message.source)}, .sequence = message.sequence};
}

/// Other answers to the questions of one rank.
class Questions {
 public:
  Questions(History const& history, std::uint32_t rank, std::vector<Alternative>& found)
      : history_(history), rank_(rank), own_(history.ranks[rank]), found_(found) {}

  void add_all() {
    for (auto const& question : own_.questions) add(question);
  }

 private:
  void add(Question const& question) {
    bool const one_more = misses_.is_distinct_miss(question);
    auto const missed = misses_.counted(question);
    for (std::uint64_t i = 0; i < missed; ++i) add_yes(question, question.number + i);
    if (!question.yes) return;
    if (question.source < 0)
      add_tested(question, one_more);
    else
      add_found(question, one_more);
  }

  void put(std::uint64_t number, PathStep step) {
    step.rank = Rank{static_cast<std::int32_t>(rank_)};
    step.number = number;
    step.of = PathStep::Of::question;
    if (step.answer == PathStep::Answer::none) step.answer = PathStep::Answer::yes;
    found_.push_back({.kind = Alternative::Kind::answer, .step = std::move(step)});
  }

  /// Instead of a no.
  void add_yes(Question const& question, std::uint64_t number) {
    if (question.filter >= own_.filters.size()) return put(number, {});
    for (auto const message : could_find(question))
      put(number, {.message = id_of(history_.messages[message])});
  }

  void add_tested(Question const& question, bool one_more) {
    if (question.operation != OpKind::wait_any && one_more)
      put(question.number, {.answer = PathStep::Answer::no});
    for (std::uint32_t position = 0; question.requests > 1 && position < question.requests;
         ++position)
      if (std::ranges::count(question.positions, static_cast<std::int32_t>(position)) == 0)
        put(question.number, {.positions = {position}});
  }

  void add_found(Question const& question, bool one_more) {
    bool seen = false;
    for (auto const message : could_find(question)) {
      auto const& other = history_.messages[message];
      seen = seen || seen_.contains(message);
      bool const same =
          number(id_of(other).source) == question.source && other.sequence == question.sequence;
      // The races are among those that take the message.
      if (!same && question.receive == none) put(question.number, {.message = id_of(other)});
      if (same && question.receive == none) seen_.insert(message);
    }
    if (!seen && one_more && question.operation != OpKind::probe)
      put(question.number, {.answer = PathStep::Answer::no});
  }

  /// The first message of each channel that is there, or could be.
  std::vector<std::uint32_t> could_find(Question const& question) const {
    std::vector<std::uint32_t> messages;
    for (auto const& channel : own_.inbound) {
      auto const first = std::ranges::find_if(
          channel.messages, [&](std::uint32_t message) { return is_left(question, message); });
      if (first != channel.messages.end() && question.completion >= history_.messages[*first].known)
        messages.push_back(*first);
    }
    return messages;
  }
  bool is_left(Question const& question, std::uint32_t message) const {
    auto const& sent = history_.messages[message];
    if (sent.taken_back || !accepts(history_, rank_, question.filter, message)) return false;
    if (sent.matched_by == none) return true;
    auto const& matched = own_.receives[sent.matched_by];
    bool const posted_before =
        matched.operation == OpKind::receive && matched.known_at_post <= question.completion;
    return sent.matched_by == question.receive || !posted_before;
  }

  History const& history_;
  std::uint32_t rank_;
  RankHistory const& own_;
  std::vector<Alternative>& found_;
  MissCounter misses_{};
  std::set<std::uint32_t> seen_{};  ///< messages that a probe has found
};

}  // namespace

std::optional<PathStep> step_to(History const& history, Race const& race, std::uint32_t message) {
  auto const& own = history.ranks[race.rank];
  auto const& receive = own.receives[race.receive];
  PathStep step{.rank = Rank{static_cast<std::int32_t>(race.rank)},
                .number = receive.post,
                .message = id_of(history.messages[message])};
  if (receive.operation == OpKind::receive) return step;
  auto const question = std::ranges::find(own.questions, race.receive, &Question::receive);
  if (question == own.questions.end()) return std::nullopt;
  step.of = PathStep::Of::question;
  step.answer = PathStep::Answer::yes;
  step.number = question->number;
  return step;
}

Alternatives alternatives_of(History& history) {
  Alternatives found;
  for (auto const& race : find_races(history)) {
    ++found.races;
    for (auto const message : race.others) {
      auto step = step_to(history, race, message);
      if (!step)
        ++found.unforceable;
      else
        found.all.push_back(
            {.kind = race.frontier ? Alternative::Kind::frontier : Alternative::Kind::race,
             .step = std::move(*step)});
    }
  }
  for (std::uint32_t rank = 0; rank < history.ranks.size(); ++rank)
    Questions(history, rank, found.all).add_all();
  return found;
}

}  // namespace earl::analyse
