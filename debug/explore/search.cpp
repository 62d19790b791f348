// SPDX-License-Identifier: BSD-3-Clause
#include "debug/explore/search.hpp"

#include <algorithm>

#include "debug/analyse/steer.hpp"

namespace earl::explore {

bool Search::add(std::size_t run, analyse::History& history) {
  Outcome outcome(history);
  if (std::ranges::any_of(outcomes_,
                          [&](Outcome const& known) { return known.key == outcome.key; }))
    return false;
  auto const found = analyse::alternatives_of(history);
  coverage_.races += found.races;
  coverage_.unforceable += found.unforceable;
  coverage_.alternatives += found.all.size() + found.unforceable;
  left_.resize(std::max(left_.size(), run + 1));
  left_[run] = found.all.size();
  for (auto const& alternative : found.all) {
    auto const exchanged = analyse::with_exchanges(history, {alternative.step});
    const analyse::Aftermath after(history, exchanged);
    auto path = exchanged;
    after.append_to(path);
    todo_[static_cast<std::size_t>(alternative.kind)].push_back(
        {.run = run,
         .step = alternative.step,
         .path = std::move(path),
         .constraint = Constraint(history, outcome, after, alternative.step)});
  }
  outcomes_.push_back(std::move(outcome));
  return true;
}

bool Search::is_known(Constraint const& constraint) const {
  return std::ranges::any_of(outcomes_,
                             [&](Outcome const& outcome) { return constraint.allows(outcome); });
}

std::optional<Trial> Search::next() {
  for (auto& level : todo_) {
    while (!level.empty()) {
      auto trial = std::move(level.front());
      level.pop_front();
      --left_[trial.run];
      ++coverage_.tried;
      if (!is_known(trial.constraint)) return trial;
    }
  }
  return std::nullopt;
}

std::vector<trace::Path const*> Search::paths_from(std::size_t run) const {
  std::vector<trace::Path const*> paths;
  for (auto const& level : todo_)
    for (auto const& trial : level)
      if (trial.run == run) paths.push_back(&trial.path);
  return paths;
}

std::vector<Trial const*> Search::coming(std::size_t most) const {
  std::vector<Trial const*> trials;
  for (auto const& level : todo_)
    for (auto const& trial : level) {
      if (trials.size() >= most) return trials;
      if (!is_known(trial.constraint)) trials.push_back(&trial);
    }
  return trials;
}

}  // namespace earl::explore
