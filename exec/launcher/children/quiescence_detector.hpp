// SPDX-License-Identifier: BSD-3-Clause
/// Detects quiescence of a job by asking its processes in turn.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "generic/seams/standstill_judge.hpp"

namespace earl::exec {

/// Asks one process after the other and stops at the first that computes. When all have answered
/// the same as in the round before, there was a moment (the beginning of this round) at which all
/// waited.
class QuiescenceDetector {
 public:
  /// Begins a round among `processes`; returns the process to ask. Null: none, or one that was
  /// asked has not answered, so it is running.
  std::optional<Rank> begin(std::span<Rank const> processes);
  /// The processes of the round, in order.
  std::span<Rank const> round() const { return round_; }
  /// Takes an answer in; returns the next process to ask. Null: the round has ended.
  std::optional<Rank> answered(Rank from, Report report);
  /// The one that has been asked and has not answered; null: none.
  std::optional<Rank> awaited() const { return asked_; }
  /// The round that has just ended found all processes waiting, some of them for the first time
  /// since they moved: another round may find that they still do.
  bool all_wait() const { return all_wait_; }
  /// Takes in that this one, seen from outside, sleeps for ever; returns the next process to ask.
  std::optional<Rank> sleeps(Rank silent);
  /// A process has ended or is new: earlier results count no more.
  void disturbed();
  /// EXEC has sent one of them something, which may set it going: what this round finds out does
  /// not count.
  void notified() { notified_ = true; }
  /// The round that has just ended found all processes waiting since an earlier one, and no message
  /// between them that has left and not arrived.
  bool is_quiescent() const;
  /// Their answers, with their ranks, ascending; with is_quiescent(). Programs are left empty.
  std::vector<WaitingProcess> reports() const;

 private:
  std::optional<Rank> ask();
  bool under_way() const;

  std::vector<Rank> round_;  ///< in the order of asking
  std::vector<WaitingProcess> said_;
  std::optional<Rank> asked_;  ///< has not answered yet
  bool fresh_ = false;         ///< in this round a process has given its first answer, or a new one
  bool all_wait_ = false;
  bool notified_ = false;  ///< EXEC has sent something to one of them since this round began
  Rank first_ = no_rank;   ///< asked first: the one that moved last time
  std::unordered_map<std::int32_t, std::uint64_t> progress_;
};

}  // namespace earl::exec
