// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/slices.hpp"

#include <algorithm>

namespace earl::analyse {

Slices::Slices(History const& history, bool timed)
    : history_(history),
      timed_(timed),
      steps_(steps_of(history)),
      picture_(make_picture(history)),
      sites_(history) {
  for (auto const& own : steps_)
    for (auto const& step : own)
      if (first_ == 0 || step.at.time < first_) first_ = step.at.time;
}

double Slices::time_of(Step const& step) const {
  if (timed_) return static_cast<double>(step.at.time - first_) / 1000;
  if (step.message == none) return -1;
  auto const& arrow = picture_.arrows[step.message];
  auto const column = step.receive == none ? arrow.sent : arrow.received;
  return column == none ? -1 : static_cast<double>(column);
}

std::vector<Slice> Slices::of(std::uint32_t rank) const {
  auto const& own = steps_[rank];
  std::vector<Slice> slices;
  double last = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    auto const begin = std::max(time_of(own[i]), last);
    auto const next = i + 1 < own.size() ? time_of(own[i + 1]) : begin + 1;
    last = std::max(next, begin + (timed_ ? 0.001 : 0.5));
    slices.push_back({begin, last});
  }
  return slices;
}

std::vector<std::vector<Slice>> Slices::all() const {
  std::vector<std::vector<Slice>> slices;
  for (std::uint32_t rank = 0; rank < ranks(); ++rank) slices.push_back(of(rank));
  return slices;
}

}  // namespace earl::analyse
