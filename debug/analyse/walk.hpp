// SPDX-License-Identifier: BSD-3-Clause
/// A run as one sequence of sends and receives, to be walked through in both directions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "debug/analyse/steps.hpp"

namespace earl::analyse {

/// A step of one rank, in an order of all ranks' in which causes come first.
struct WalkStep {
  std::uint32_t rank = 0;
  Step step{};
};

/// Sends, and receives when they have their message. Receives that got none are in no step.
std::vector<WalkStep> walk_of(History const& history);

/// A place in a run: so many steps have been done.
class Walk {
 public:
  explicit Walk(History history);

  std::size_t size() const { return steps_.size(); }
  std::size_t ranks() const { return history_.ranks.size(); }
  std::size_t done() const { return done_; }
  /// At most to the end.
  void go_to(std::size_t done) { done_ = std::min(done, steps_.size()); }
  /// The number of that rank's next step, and of the one it has done last; null: there is none.
  std::optional<std::size_t> next_of(std::uint32_t rank) const;
  std::optional<std::size_t> last_of(std::uint32_t rank) const;
  /// Behind the next step of that rank; false: it has none.
  bool pass_next_of(std::uint32_t rank);
  /// Before the first step of that rank in its call `event` or later; false: there is none.
  bool go_before(std::uint32_t rank, std::uint64_t event);

  /// The step that was done last, as text; empty: none has been.
  std::string last();
  /// The rank of a step, its call ("crecv at racy.c:31"), the number of that call, and all of it.
  std::uint32_t rank_of(std::size_t step) const { return steps_[step].rank; }
  std::string const& call_of(std::size_t step);
  std::uint64_t event_at(std::size_t step) const { return steps_[step].step.at.call; }
  std::string to_text(std::size_t step) { return to_text(steps_[step]); }
  /// EXEC's report of the deadlock in which the run ended; empty: it did not.
  std::string const& deadlock() const { return history_.deadlock; }
  /// Where each rank is.
  std::vector<std::string> where();
  /// The messages that have been sent and not received, by receiver.
  std::vector<std::string> queues();
  std::vector<std::string> queue_of(std::uint32_t receiver);
  /// The call of that rank that is to come: of its next step, else its last one. 0: it made none.
  std::uint64_t event_of(std::uint32_t rank) const;

 private:
  std::string to_text(WalkStep const& one);

  History history_;
  StepTexts texts_;
  std::vector<WalkStep> steps_;
  std::size_t done_ = 0;
};

}  // namespace earl::analyse
