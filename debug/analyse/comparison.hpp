// SPDX-License-Identifier: BSD-3-Clause
/// Two runs of one program and where they part, as text.
#pragma once

#include <string>
#include <vector>

#include "debug/analyse/candidates.hpp"
#include "debug/analyse/diff.hpp"
#include "debug/analyse/starts.hpp"

namespace earl::analyse {

/// One of the two runs.
struct ComparedRun {
  /// Throws Error when `name` holds no events.
  explicit ComparedRun(std::string const& name);
  ComparedRun(ComparedRun const&) = delete;
  ComparedRun& operator=(ComparedRun const&) = delete;

  /// Null: the rank has done all before.
  Step const* at(Difference const& one) const;
  /// "event 12: csend at racy.c:28 sent message 3 to rank 0 (tag 7, 16 bytes)".
  std::string to_text(std::uint32_t rank, Step const* step);
  Receive const* receive_at(Difference const& one) const;

  std::string folder;
  History history;
  std::vector<Race> races;
  std::vector<Steps> steps;
  StepTexts texts;
};

class Comparison {
 public:
  Comparison(std::string const& a, std::string const& b);

  bool alike() const { return differences_.empty(); }
  /// "a and b are alike: 3 ranks and 120 steps".
  std::string alike_text() const;
  /// "2 more ranks differ later, which comes after this"; empty: none does.
  std::string later_text() const;
  /// Several lines: the rank's earlier steps, the step in both runs, and the reason.
  std::string to_text(Difference const& one);
  bool raced(Difference const& one) const;

  /// By rank; those that are first come first.
  std::vector<Difference> const& differences() const { return differences_; }
  std::vector<StartDifference> const& starts() const { return starts_; }
  ComparedRun& a() { return a_; }
  ComparedRun& b() { return b_; }

 private:
  std::string reason(Difference const& one) const;

  ComparedRun a_;
  ComparedRun b_;
  std::vector<StartDifference> starts_;
  std::vector<Difference> differences_;
};

}  // namespace earl::analyse
