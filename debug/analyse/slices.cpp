// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/slices.hpp"

#include <algorithm>
#include <tuple>

namespace earl::analyse {

namespace {

constexpr std::int64_t column_width = 1000;
constexpr std::int64_t last_width = 1000;  ///< of the last one of a rank

}  // namespace

Slices::Slices(History const& history, bool timed)
    : history_(history),
      timed_(timed),
      steps_(steps_of(history)),
      picture_(make_picture(history)),
      sites_(history),
      slices_(steps_.size()),
      known_(steps_.size()),
      sent_(history.messages.size()) {
  for (auto const& own : steps_)
    for (auto const& step : own)
      if (first_ == 0 || step.at.time < first_) first_ = step.at.time;
  for (std::uint32_t rank = 0; rank < ranks(); ++rank) order_steps(rank);
  place_all();
}

std::uint32_t Slices::column_of(Step const& step) const {
  if (step.message == none || (step.receive != none && !has_arrow(step))) return none;
  auto const& arrow = picture_.arrows[step.message];
  return step.receive == none ? arrow.sent : arrow.received;
}

std::optional<std::int64_t> Slices::ticks_of(Step const& step, Place const& at) const {
  if (timed_) return at.time - first_;
  auto const column = column_of(step);
  if (column == none) return {};
  return column * column_width;
}

std::optional<double> Slices::time_of(Step const& step) const {
  auto const ticks = ticks_of(step, step.at);
  if (!ticks) return {};
  return static_cast<double>(*ticks) / 1000;
}

Place Slices::place_of(std::uint32_t rank, Step const& step) const {
  if (step.receive == none) return step.at;
  auto const& done = history_.ranks[rank].receives[step.receive].done;
  return done.call == 0 ? step.at : done;
}

/// A call may complete several receives.
void Slices::order_steps(std::uint32_t rank) {
  auto& slices = slices_[rank];
  for (auto const& step : steps_[rank])
    slices.push_back({.step = step, .at = place_of(rank, step)});
  std::ranges::stable_sort(slices, {}, [this](Slice const& slice) {
    return std::tuple(slice.at.call, column_of(slice.step));
  });
}

/// Steps that have no time share the place until the next one that has.
std::int64_t Slices::end_of(std::uint32_t rank, std::size_t slice) {
  auto const& own = slices_[rank];
  auto& known = known_[rank];
  known = std::max(known, slice + 1);
  while (known < own.size() && !ticks_of(own[known].step, own[known].at)) ++known;
  auto const begin = own[slice].begin;
  if (known == own.size()) return begin + last_width;
  auto const left = *ticks_of(own[known].step, own[known].at) - begin;
  return begin + left / static_cast<std::int64_t>(known - slice);
}

/// The slices before it, and the send of its message, have their places. A receive is not over
/// before the send has begun, whatever the clocks of two hosts say.
void Slices::place(std::uint32_t rank, std::size_t slice) {
  auto& own = slices_[rank];
  auto& [step, at, begin, end, arrow, sent] = own[slice];
  begin = std::max(ticks_of(step, at).value_or(0), slice == 0 ? 0 : own[slice - 1].end);
  end = std::max(end_of(rank, slice), begin + 2);
  arrow = begin + 1;
  if (!has_arrow(step)) return;
  if (step.receive == none) {
    sent_[step.message] = arrow;
    return;
  }
  sent = sent_[step.message];
  arrow = std::max(begin + (end - begin) / 2, sent + 2);
  end = std::max(end, arrow + 1);
}

/// In the order of columns: sends come before their receives.
void Slices::place_all() {
  struct Turn {
    std::uint32_t column = 0;
    std::uint32_t rank = 0;
    std::uint32_t slice = 0;
  };
  std::vector<Turn> turns;
  for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
    std::uint32_t column = 0;
    for (std::uint32_t i = 0; i < slices_[rank].size(); ++i) {
      auto const own = column_of(slices_[rank][i].step);
      if (own != none) column = std::max(column, own);
      turns.push_back({.column = column, .rank = rank, .slice = i});
    }
  }
  std::ranges::stable_sort(turns, {}, &Turn::column);
  for (auto const& turn : turns) place(turn.rank, turn.slice);
}

}  // namespace earl::analyse
