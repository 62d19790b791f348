// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/diff.hpp"

#include <algorithm>
#include <map>

namespace earl::analyse {

namespace {

/// The two runs, step against step.
class Pair {
 public:
  Pair(History const& a, History const& b) : a_(a), b_(b) {}

  bool alike(std::uint32_t rank, Step const& one, Step const& other) {
    if ((one.receive == none) != (other.receive == none)) return false;
    if (!same_site(rank, one.at.site, other.at.site)) return false;
    if (one.receive == none) return same_send(a_.messages[one.message], b_.messages[other.message]);
    return same_receive(rank, a_.ranks[rank].receives[one.receive],
                        b_.ranks[rank].receives[other.receive]);
  }

 private:
  /// Another build puts the same call elsewhere.
  bool same_site(std::uint32_t rank, std::uint32_t one, std::uint32_t other) {
    auto const& ours = a_.ranks[rank].sites;
    auto const& theirs = b_.ranks[rank].sites;
    if (one >= ours.size() || other >= theirs.size())
      return one >= ours.size() && other >= theirs.size();
    auto const comparable =
        !ours[one].build_id.empty() && ours[one].build_id == theirs[other].build_id;
    return ours[one].name == theirs[other].name &&
           (!comparable || ours[one].offset == theirs[other].offset);
  }
  static bool same_send(SentMessage const& one, SentMessage const& other) {
    return one.dest == other.dest && one.tag == other.tag && one.context == other.context &&
           one.length == other.length && one.check == other.check &&
           one.taken_back == other.taken_back;
  }
  bool same_receive(std::uint32_t rank, Receive const& one, Receive const& other) const {
    auto const& ours = a_.ranks[rank].filters;
    auto const& theirs = b_.ranks[rank].filters;
    auto const known = one.filter < ours.size();
    if (known != (other.filter < theirs.size())) return false;
    if (known && ours[one.filter] != theirs[other.filter]) return false;
    return one.source == other.source && one.sequence == other.sequence;
  }

  History const& a_;
  History const& b_;
};

/// In one run: which ranks the differing steps have influenced.
class Spread {
 public:
  Spread(History const& history, std::vector<Steps> const& steps,
         std::vector<Difference> const& differences)
      : history_(history), steps_(steps), late_(history.messages.size()) {
    for (auto const& one : differences) mark(one);
    influenced_.assign(steps.size(), {false});
    follow();
  }

  /// Whether another rank's differing step is known at this one, or in the message it got.
  bool reaches(Difference const& one) const {
    if (one.rank >= steps_.size()) return false;
    auto const& joined = influenced_[one.rank];
    auto const& own = steps_[one.rank];
    if (one.step >= own.size()) return joined.back();
    auto const& step = own[one.step];
    if (step.receive == none) return joined[history_.messages[step.message].own];
    auto const& receive = history_.ranks[one.rank].receives[step.receive];
    auto const at = receive.completion != none ? receive.completion : receive.known_at_post;
    return joined[at] || (step.message != none && bears(step.message));
  }

 private:
  /// All that the rank sends from its differing step on comes after it.
  void mark(Difference const& one) {
    if (one.rank >= steps_.size()) return;
    auto const& own = steps_[one.rank];
    for (auto at = one.step; at < own.size(); ++at)
      if (own[at].receive == none) late_[own[at].message] = true;
    if (one.step < own.size()) from_[one.rank] = completions_before(one.rank, own[one.step]);
  }
  std::uint32_t completions_before(std::uint32_t rank, Step const& step) const {
    if (step.receive == none) return history_.messages[step.message].own;
    auto const& receive = history_.ranks[rank].receives[step.receive];
    return receive.completion != none ? receive.completion : receive.known_at_post;
  }
  bool bears(std::uint32_t message) const {
    auto const& sent = history_.messages[message];
    return late_[message] || influenced_[sent.source][sent.own];
  }
  bool bears(Cause const& cause) const {
    auto const from = from_.find(cause.rank);
    return influenced_[cause.rank][cause.completions] ||
           (from != from_.end() && cause.completions > from->second);
  }
  void follow() {
    std::uint32_t cause = 0;
    for (auto const& join : history_.joins) {
      auto& own = influenced_[join.rank];
      bool now = own.back();
      if (join.receive != none) {
        auto const message = history_.ranks[join.rank].receives[join.receive].message;
        now = now || (message != none && bears(message));
      }
      for (; cause < join.causes; ++cause) now = now || bears(history_.causes[cause]);
      own.push_back(now);
    }
  }

  History const& history_;
  std::vector<Steps> const& steps_;
  std::vector<bool> late_;                       ///< by message: sent at a differing step or behind
  std::map<std::uint32_t, std::uint32_t> from_;  ///< by rank that differs: completions before it
  std::vector<std::vector<bool>> influenced_;    ///< by rank and number of completions
};

}  // namespace

std::vector<Difference> find_differences(History const& a, std::vector<Steps> const& steps_of_a,
                                         History const& b, std::vector<Steps> const& steps_of_b) {
  Pair pair(a, b);
  std::vector<Difference> differences;
  Steps const no_steps;
  for (std::uint32_t rank = 0; rank < std::max(steps_of_a.size(), steps_of_b.size()); ++rank) {
    auto const& one = rank < steps_of_a.size() ? steps_of_a[rank] : no_steps;
    auto const& other = rank < steps_of_b.size() ? steps_of_b[rank] : no_steps;
    std::size_t at = 0;
    while (at < one.size() && at < other.size() && pair.alike(rank, one[at], other[at])) ++at;
    if (at < std::max(one.size(), other.size())) differences.push_back({.rank = rank, .step = at});
  }
  Spread const in_a(a, steps_of_a, differences);
  Spread const in_b(b, steps_of_b, differences);
  for (auto& one : differences) one.first = !in_a.reaches(one) && !in_b.reaches(one);
  if (std::ranges::none_of(differences, &Difference::first))
    for (auto& one : differences) one.first = !in_a.reaches(one);
  return differences;
}

std::vector<std::uint32_t> differing_messages(History const& history,
                                              std::vector<Steps> const& steps,
                                              std::vector<Difference> const& differences) {
  std::vector<bool> differs(history.messages.size());
  std::vector<bool> rank_differs(std::max(steps.size(), history.ranks.size()));
  for (auto const& one : differences) {
    if (one.rank >= steps.size()) continue;
    rank_differs[one.rank] = true;
    auto const& own = steps[one.rank];
    for (auto at = one.step; at < own.size(); ++at)
      if (own[at].message != none) differs[own[at].message] = true;
  }
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < differs.size(); ++i) {
    auto const& sent = history.messages[i];
    // In the other run its receiver may have got it.
    bool const lost =
        sent.matched_by == none && sent.dest < rank_differs.size() && rank_differs[sent.dest];
    if (differs[i] || lost) found.push_back(i);
  }
  return found;
}

}  // namespace earl::analyse
