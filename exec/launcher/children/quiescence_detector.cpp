// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/children/quiescence_detector.hpp"

#include <algorithm>

namespace earl::exec {

std::optional<Rank> QuiescenceDetector::begin(std::span<Rank const> processes) {
  if (asked_ || processes.empty()) return std::nullopt;
  round_.assign(processes.begin(), processes.end());
  auto const first = std::ranges::find(round_, first_);
  if (first != round_.end()) std::rotate(round_.begin(), first, round_.end());
  said_.clear();
  fresh_ = false;
  all_wait_ = false;
  notified_ = false;
  return ask();
}

std::optional<Rank> QuiescenceDetector::ask() {
  asked_ = round_[said_.size()];
  return asked_;
}

std::optional<Rank> QuiescenceDetector::answered(Rank from, Report report) {
  if (asked_ != from) return std::nullopt;  // of a cancelled round
  asked_.reset();
  auto const [known, fresh] = progress_.try_emplace(number(from), report.progress);
  auto const moved = std::exchange(known->second, report.progress) != report.progress;
  fresh_ = fresh_ || fresh || moved;
  if (report.state == Report::State::running) {
    first_ = from;
    round_.clear();
    return std::nullopt;
  }
  said_.push_back({.rank = from, .program = {}, .report = std::move(report)});
  if (said_.size() < round_.size()) return ask();
  all_wait_ = fresh_;
  if (fresh_) round_.clear();
  return std::nullopt;
}

std::optional<Rank> QuiescenceDetector::sleeps(Rank silent) {
  auto const known = progress_.find(number(silent));
  return answered(silent, {.state = Report::State::sleeping,
                           .progress = known == progress_.end() ? 0 : known->second});
}

void QuiescenceDetector::disturbed() {
  asked_.reset();
  round_.clear();
  progress_.clear();
  all_wait_ = false;
}

bool QuiescenceDetector::is_quiescent() const {
  return !asked_ && !notified_ && !round_.empty() && said_.size() == round_.size() && !under_way();
}

/// A message that has left and not arrived may still change everything. The messages that have come
/// to one that does not answer are unknown.
bool QuiescenceDetector::under_way() const {
  std::uint64_t sent = 0;
  std::uint64_t arrived = 0;
  for (auto const& one : said_) {
    if (one.report.state == Report::State::sleeping) return false;
    sent += one.report.sent;
    arrived += one.report.arrived;
  }
  return sent != arrived;
}

std::vector<WaitingProcess> QuiescenceDetector::reports() const {
  auto sorted = said_;
  std::ranges::sort(sorted, {}, &WaitingProcess::rank);
  return sorted;
}

}  // namespace earl::exec
