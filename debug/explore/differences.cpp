// SPDX-License-Identifier: BSD-3-Clause
#include "debug/explore/differences.hpp"

#include <map>

#include "debug/events/event.hpp"
#include "debug/explore/outcome.hpp"

namespace earl::explore {

using analyse::History;
using analyse::Question;
using analyse::RankHistory;
using trace::Path;
using trace::PathStep;

namespace {

/// In a loop that polls, one more or less is no matter.
constexpr std::uint64_t most_noes = 8;

bool is_certain(RankHistory const& rank, std::uint32_t filter) {
  if (filter >= rank.filters.size()) return false;
  auto const& one = rank.filters[filter];
  return one.source >= 0 && one.sources.empty() && !one.contested &&
         one.kind == TagMatch::Kind::exact && !one.any_context;
}

/// The differences of one rank.
class Comparison {
 public:
  Comparison(Rank rank, RankHistory const* from, RankHistory const& to, Path& path)
      : rank_(rank), from_(from), to_(to), path_(path) {}

  void add_receives() {
    auto const before = from_ ? messages_of(*from_) : std::map<std::uint64_t, MessageId>{};
    bool parted = false;
    for (auto const& receive : to_.receives) {
      if (receive.operation != OpKind::receive || receive.source < 0 ||
          is_certain(to_, receive.filter))
        continue;
      const MessageId message{Rank{receive.source}, receive.sequence};
      auto const then = before.find(receive.post);
      parted = parted || then == before.end() || then->second != message;
      if (parted) path_.push_back({.rank = rank_, .number = receive.post, .message = message});
    }
  }

  void add_questions() {
    std::size_t same = 0;
    if (from_)
      while (same < to_.questions.size() && same < from_->questions.size() &&
             is_same(from_->questions[same], to_.questions[same]))
        ++same;
    for (; same < to_.questions.size(); ++same) add(to_.questions[same]);
  }

 private:
  static bool is_same(Question const& a, Question const& b) {
    return a.yes == b.yes && a.count == b.count && a.source == b.source &&
           a.sequence == b.sequence && a.positions == b.positions;
  }
  void add(Question const& question) {
    PathStep step{.rank = rank_, .number = question.number, .of = PathStep::Of::question};
    step.answer = question.yes ? PathStep::Answer::yes : PathStep::Answer::no;
    if (question.source >= 0) step.message = MessageId{Rank{question.source}, question.sequence};
    for (auto const position : question.positions)
      step.positions.push_back(static_cast<std::uint32_t>(position));
    for (std::uint64_t i = 0; i < question.count && i < most_noes; ++i, ++step.number)
      path_.push_back(step);
  }

  Rank rank_;
  RankHistory const* from_;
  RankHistory const& to_;
  Path& path_;
};

}  // namespace

Path differences(History const& from, History const& to) {
  Path path;
  for (std::size_t rank = 0; rank < to.ranks.size(); ++rank) {
    Comparison comparison(Rank{static_cast<std::int32_t>(rank)},
                          rank < from.ranks.size() ? &from.ranks[rank] : nullptr, to.ranks[rank],
                          path);
    comparison.add_receives();
    comparison.add_questions();
  }
  return path;
}

}  // namespace earl::explore
