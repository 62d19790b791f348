// SPDX-License-Identifier: BSD-3-Clause
/// The choice of the next order to try.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "debug/analyse/alternatives.hpp"
#include "debug/explore/outcome.hpp"

namespace earl::explore {

/// One run that is to be made: that of `run`, with one step otherwise.
struct Trial {
  std::size_t run = 0;
  trace::PathStep step{};
  trace::Path path{};  ///< the step and what follows from it
  Constraint constraint;
};

struct Coverage {
  std::uint64_t races = 0;         ///< races of all runs that were new
  std::uint64_t alternatives = 0;  ///< what could have been otherwise in them
  std::uint64_t tried = 0;         ///< of these: done, or another run had shown it
  std::uint64_t unforceable = 0;   ///< of them, no replay can choose
  std::uint64_t failed = 0;        ///< runs that did not do what was demanded
};

/// Flips of races that hang on no other come first, then other races, then answers of polls.
class Search {
 public:
  /// A run is over. False: it is a known order.
  bool add(std::size_t run, analyse::History& history);
  /// Null: there is nothing left to try. Outcomes that a known run has shown are skipped.
  std::optional<Trial> next();
  /// The results of the next calls of next(), at most so many, if no run were added. Valid until
  /// next() or add().
  std::vector<Trial const*> coming(std::size_t most) const;
  /// A run was made that did not take the step demanded.
  void failed() { ++coverage_.failed; }

  /// The paths of all trials that start from the run. Valid until next() or add().
  std::vector<trace::Path const*> paths_from(std::size_t run) const;
  /// The number of trials that start from the run.
  std::size_t left(std::size_t run) const { return run < left_.size() ? left_[run] : 0; }
  std::size_t orders() const { return outcomes_.size(); }
  Coverage const& coverage() const { return coverage_; }

 private:
  bool is_known(Constraint const& constraint) const;

  std::vector<Outcome> outcomes_{};
  std::array<std::deque<Trial>, 3> todo_{};  ///< by Alternative::Kind
  std::vector<std::size_t> left_{};
  Coverage coverage_{};
};

}  // namespace earl::explore
