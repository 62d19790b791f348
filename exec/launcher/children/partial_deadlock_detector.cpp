// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/children/partial_deadlock_detector.hpp"

#include <algorithm>
#include <utility>

namespace earl::exec {

std::uint32_t PartialDeadlockDetector::begin(std::span<Rank const> processes) {
  round_.assign(processes.begin(), processes.end());
  std::ranges::sort(round_);
  said_before_ = std::exchange(said_, {});
  notified_.clear();
  return ++question_;
}

void PartialDeadlockDetector::answered(Rank from, Report report) {
  silent_.erase(from);
  if (report.question == question_) said_.insert_or_assign(from, std::move(report));
}

Report const* PartialDeadlockDetector::unchanged(Rank rank) const {
  auto const now = said_.find(rank);
  auto const before = said_before_.find(rank);
  bool const twice =
      now != said_.end() && before != said_before_.end() && !notified_.contains(rank);
  return twice && now->second.state == before->second.state && !now->second.serves &&
                 now->second.progress == before->second.progress
             ? &now->second
             : nullptr;
}

std::vector<WaitingProcess> PartialDeadlockDetector::reports() const {
  std::vector<WaitingProcess> all;
  for (auto const rank : round_) {
    auto const* const report = unchanged(rank);
    bool const waits = report != nullptr && report->state == Report::State::waiting;
    all.push_back({.rank = rank, .program = {}, .report = waits ? *report : Report{}});
  }
  return all;
}

std::optional<std::vector<WaitingProcess>> PartialDeadlockDetector::all_still() const {
  std::vector<WaitingProcess> all;
  std::uint64_t sent = 0;
  std::uint64_t arrived = 0;
  for (auto const rank : round_) {
    auto const* const report = unchanged(rank);
    if (report == nullptr || report->state == Report::State::running) return std::nullopt;
    sent += report->sent;
    arrived += report->arrived;
    all.push_back({.rank = rank, .program = {}, .report = *report});
  }
  if (all.empty() || sent != arrived) return std::nullopt;
  return all;
}

std::optional<std::vector<WaitingProcess>> PartialDeadlockDetector::all_idle() const {
  std::vector<WaitingProcess> all;
  for (auto const rank : round_) {
    auto const said = said_.find(rank);
    if (said == said_.end() && !silent_.contains(rank)) return std::nullopt;
    Report const report =
        said == said_.end() ? Report{.state = Report::State::sleeping} : said->second;
    if (report.state == Report::State::running && !report.idle) return std::nullopt;
    all.push_back({.rank = rank, .program = {}, .report = report});
  }
  return all;
}

}  // namespace earl::exec
