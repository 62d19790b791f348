#include "exec/children/census.hpp"

#include <algorithm>
#include <utility>

namespace earl::exec {

std::uint32_t Census::begin(std::span<Rank const> processes) {
  round_.assign(processes.begin(), processes.end());
  std::ranges::sort(round_);
  said_before_ = std::exchange(said_, {});
  told_.clear();
  return ++question_;
}

void Census::answered(Rank from, Report report) {
  silent_.erase(from);
  if (report.question == question_) said_.insert_or_assign(from, std::move(report));
}

bool Census::still_waits(Rank rank) const {
  auto const now = said_.find(rank);
  auto const before = said_before_.find(rank);
  if (now == said_.end() || before == said_before_.end() || told_.contains(rank)) return false;
  auto const waits = [](Report const& report) {
    return report.state == Report::State::waits && !report.serves;
  };
  return waits(now->second) && waits(before->second) &&
         now->second.progress == before->second.progress;
}

std::vector<Halted> Census::reports() const {
  std::vector<Halted> all;
  for (auto const rank : round_)
    all.push_back(
        {.rank = rank, .program = {}, .report = still_waits(rank) ? said_.at(rank) : Report{}});
  return all;
}

}  // namespace earl::exec
