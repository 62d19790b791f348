// SPDX-License-Identifier: BSD-3-Clause
/// A run as other programs draw it: for each rank, what it did one after the other, and for how
/// long.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "debug/analyse/picture.hpp"
#include "debug/analyse/steps.hpp"

namespace earl::analyse {

/// A step lasts until the next one of its rank begins: when a call returned is not recorded.
/// Times are nanoseconds since the first step; without times, thousandths of the picture's columns.
struct Slice {
  Step step{};
  Place at{};  ///< the call: of a receive, the one that completed it
  std::int64_t begin = 0;
  std::int64_t end = 0;  ///< greater than `begin`; not after the next one's
  /// Where the arrow of its message begins or ends: between `begin` and `end`. Other programs drop
  /// arrows that go back in time, or give them to another slice.
  std::int64_t arrow = 0;
  std::int64_t sent = 0;  ///< of a receive with an arrow: where that begins, at least 2 before
};

class Slices {
 public:
  /// `timed`: events have times of the hosts.
  Slices(History const& history, bool timed);

  History const& history() const { return history_; }
  bool timed() const { return timed_; }
  std::size_t ranks() const { return steps_.size(); }
  Steps const& steps(std::uint32_t rank) const { return steps_[rank]; }
  /// One for each of its steps, in the order of the calls that completed them.
  std::vector<Slice> const& of(std::uint32_t rank) const { return slices_[rank]; }
  /// When its call began, in microseconds; without times, its column; nothing: unknown.
  std::optional<double> time_of(Step const& step) const;
  /// Both ends of its message are in the run, and this is one. A receive that was cancelled may
  /// have had the message of another one for a while.
  bool has_arrow(Step const& step) const {
    if (step.message == none) return false;
    auto const& arrow = picture_.arrows[step.message];
    return arrow.received != none && (step.receive == none || arrow.receive == step.receive);
  }
  /// "crecv at racy.c:31".
  std::string call_text(std::uint32_t rank, Place const& at) {
    return sites_.call_text(rank, at.site);
  }

 private:
  std::optional<std::int64_t> ticks_of(Step const& step, Place const& at) const;
  std::uint32_t column_of(Step const& step) const;
  Place place_of(std::uint32_t rank, Step const& step) const;
  void order_steps(std::uint32_t rank);
  std::int64_t end_of(std::uint32_t rank, std::size_t slice);
  void place(std::uint32_t rank, std::size_t slice);
  void place_all();

  History const& history_;
  bool timed_;
  std::vector<Steps> steps_;
  Picture picture_;
  Sites sites_;
  std::int64_t first_ = 0;
  std::vector<std::vector<Slice>> slices_;
  std::vector<std::size_t> known_;  ///< by rank: the next of its slices that has a time
  std::vector<std::int64_t> sent_;  ///< where arrows begin, by message
};

}  // namespace earl::analyse
