// SPDX-License-Identifier: BSD-3-Clause
/// A run as other programs draw it: for each rank, what it did one after the other, and for how
/// long.
#pragma once

#include <string>
#include <vector>

#include "debug/analyse/picture.hpp"
#include "debug/analyse/steps.hpp"

namespace earl::analyse {

/// A step lasts until the next one of its rank begins: when a call returned is not recorded.
struct Slice {
  double begin = 0;  ///< microseconds since the first step; without times, columns of the picture
  double end = 0;    ///< greater than `begin`
  double middle() const { return begin + (end - begin) / 2; }
};

class Slices {
 public:
  /// `timed`: events have times of the hosts.
  Slices(History const& history, bool timed);

  History const& history() const { return history_; }
  bool timed() const { return timed_; }
  std::size_t ranks() const { return steps_.size(); }
  Steps const& steps(std::uint32_t rank) const { return steps_[rank]; }
  /// One for each of its steps.
  std::vector<Slice> of(std::uint32_t rank) const;
  /// The same by rank.
  std::vector<std::vector<Slice>> all() const;
  /// Like Slice::begin; negative: unknown.
  double time_of(Step const& step) const;
  /// "crecv at racy.c:31".
  std::string call_text(std::uint32_t rank, Step const& step) {
    return sites_.call_text(rank, step.at.site);
  }

 private:
  History const& history_;
  bool timed_;
  std::vector<Steps> steps_;
  Picture picture_;
  Sites sites_;
  std::int64_t first_ = 0;
};

}  // namespace earl::analyse
