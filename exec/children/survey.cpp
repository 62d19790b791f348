#include "exec/children/survey.hpp"

#include <algorithm>

namespace earl::exec {

std::optional<Rank> Survey::begin(std::span<Rank const> processes) {
  if (asked_ || processes.empty()) return std::nullopt;
  round_.assign(processes.begin(), processes.end());
  auto const first = std::ranges::find(round_, first_);
  if (first != round_.end()) std::rotate(round_.begin(), first, round_.end());
  said_.clear();
  fresh_ = false;
  return ask();
}

std::optional<Rank> Survey::ask() {
  asked_ = round_[said_.size()];
  return asked_;
}

std::optional<Rank> Survey::answered(Rank from, Report report) {
  if (asked_ != from) return std::nullopt;  // of a round that was given up
  asked_.reset();
  auto const [known, fresh] = progress_.try_emplace(number(from), report.progress);
  auto const moved = std::exchange(known->second, report.progress) != report.progress;
  fresh_ = fresh_ || fresh;
  if (report.state == Report::State::moves || moved) {
    first_ = from;
    round_.clear();
    return std::nullopt;
  }
  said_.push_back({.rank = from, .program = {}, .report = std::move(report)});
  if (said_.size() < round_.size()) return ask();
  if (fresh_) round_.clear();
  return std::nullopt;
}

std::optional<Rank> Survey::sleeps(Rank silent) {
  auto const known = progress_.find(number(silent));
  return answered(silent, {.state = Report::State::sleeps,
                           .progress = known == progress_.end() ? 0 : known->second});
}

void Survey::disturbed() {
  asked_.reset();
  round_.clear();
  progress_.clear();
}

std::vector<Halted> Survey::reports() const {
  auto sorted = said_;
  std::ranges::sort(sorted, {}, &Halted::rank);
  return sorted;
}

}  // namespace earl::exec
