// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "debug/analyse/load.hpp"
#include "debug/trace/describe.hpp"

namespace earl::analyse {

using trace::counted;

namespace {

constexpr std::size_t most_before = 3;

/// The race of `run` in which the receive could have got what it got in `other`; null: none.
Race const* race_between(ComparedRun const& run, ComparedRun const& other, Difference const& one) {
  auto const* const step = run.at(one);
  auto const* const got = other.receive_at(one);
  if (!step || step->receive == none || !got) return nullptr;
  for (auto const& race : run.races) {
    if (race.rank != one.rank || race.receive != step->receive) continue;
    for (auto const message : race.others) {
      auto const& sent = run.history.messages[message];
      if (static_cast<std::int32_t>(sent.source) == got->source && sent.sequence == got->sequence)
        return &race;
    }
  }
  return nullptr;
}

}  // namespace

ComparedRun::ComparedRun(std::string const& name)
    : folder(name),
      history(load_history(name)),
      races(find_races(history)),
      steps(steps_of(history)),
      texts(history) {}

Step const* ComparedRun::at(Difference const& one) const {
  if (one.rank >= steps.size() || one.step >= steps[one.rank].size()) return nullptr;
  return &steps[one.rank][one.step];
}

std::string ComparedRun::to_text(std::uint32_t rank, Step const* step) {
  if (!step) return "it does nothing more with messages";
  return fmt::format("event {}: {}", step->at.call, texts.of(rank, *step));
}

Receive const* ComparedRun::receive_at(Difference const& one) const {
  auto const* const step = at(one);
  if (!step || step->receive == none) return nullptr;
  return &history.ranks[one.rank].receives[step->receive];
}

Comparison::Comparison(std::string const& a, std::string const& b)
    : a_(a),
      b_(b),
      starts_(start_differences(a, b)),
      differences_(find_differences(a_.history, a_.steps, b_.history, b_.steps)) {
  std::ranges::stable_sort(differences_, std::greater<>{}, &Difference::first);
}

std::string Comparison::alike_text() const {
  std::size_t steps = 0;
  for (auto const& own : a_.steps) steps += own.size();
  return fmt::format("{} and {} are alike: {} and {}", a_.folder, b_.folder,
                     counted(a_.steps.size(), "rank", "ranks"), counted(steps, "step", "steps"));
}

std::string Comparison::later_text() const {
  auto const first =
      static_cast<std::size_t>(std::ranges::count_if(differences_, &Difference::first));
  auto const rest = differences_.size() - first;
  if (rest == 0) return {};
  return fmt::format("{} later, which comes after {}",
                     rest == 1 ? "1 more rank differs" : fmt::format("{} more ranks differ", rest),
                     first == 1 ? "this" : "one of these");
}

bool Comparison::raced(Difference const& one) const {
  return race_between(a_, b_, one) || race_between(b_, a_, one);
}

std::string Comparison::reason(Difference const& one) const {
  if (auto const* const race = race_between(a_, b_, one))
    return fmt::format("timing decided: it is race {} of `earl races {}`", race->number, a_.folder);
  if (auto const* const race = race_between(b_, a_, one))
    return fmt::format("timing decided: it is race {} of `earl races {}`", race->number, b_.folder);
  auto const* const here = a_.at(one);
  auto const* const there = b_.at(one);
  if (here && there && here->receive == none && there->receive == none) {
    auto const& sent = a_.history.messages[here->message];
    auto const& other = b_.history.messages[there->message];
    if (sent.dest == other.dest && sent.tag == other.tag && sent.length == other.length &&
        sent.check != other.check)
      return fmt::format(
          "the bytes differ, and no message before it does: {}a file, a clock, an "
          "address, or memory that was never set",
          starts_.empty() ? "" : "how the runs were started, ");
  }
  if (!starts_.empty()) return "no message before it differs; how the runs were started does";
  return "no message before it differs: a file, a clock, a probe or a test does";
}

std::string Comparison::to_text(Difference const& one) {
  auto text = fmt::format("rank {} differs:\n", one.rank);
  auto& run = a_.at(one) ? a_ : b_;
  for (auto at = one.step - std::min(one.step, most_before); at < one.step; ++at)
    text += fmt::format("  before  {}\n", run.to_text(one.rank, &run.steps[one.rank][at]));
  return text + fmt::format("  {}  {}\n  {}  {}\n  {}\n", a_.folder,
                            a_.to_text(one.rank, a_.at(one)), b_.folder,
                            b_.to_text(one.rank, b_.at(one)), reason(one));
}

}  // namespace earl::analyse
