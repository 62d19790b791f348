// SPDX-License-Identifier: BSD-3-Clause
/// Detects processes that wait for good in a job that goes on: all are asked at once, twice.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "generic/seams/standstill_judge.hpp"

namespace earl::exec {

class PartialDeadlockDetector {
 public:
  /// Begins a round among all that may do something. Returns the question to ask them with; one
  /// that is not asked, or does not answer, is running.
  std::uint32_t begin(std::span<Rank const> processes);
  /// Called before a process is asked. False: do not ask it, as it has not answered the last time.
  bool ask(Rank rank) { return silent_.insert(rank).second; }
  void answered(Rank from, Report report);
  /// EXEC has sent that one something, which may set it going: what it answers in this round does
  /// not count.
  void notified(Rank rank) { notified_.insert(rank); }
  /// It has ended, and its rank does not come back.
  void remove(Rank rank) {
    silent_.erase(rank);
    notified_.erase(rank);
  }
  /// At the end of a round: all have said in this one and in the one before, with nothing in
  /// between, that they wait or poll, and no packet is under way between them. Null: it is not so.
  /// Ascending by rank.
  std::optional<std::vector<WaitingProcess>> all_still() const;
  /// The states of all at the end of a round in which each waits, polls or does not answer; one
  /// that does not answer counts as sleeping. Null: some move. Ascending by rank.
  std::optional<std::vector<WaitingProcess>> all_idle() const;
  /// The result of a round: a process that has reported in this round and the one before that it
  /// waits, without an event in between, and waits for nothing that a message to it could change,
  /// waits; all others move. Ascending by rank. Programs are left empty.
  std::vector<WaitingProcess> reports() const;

 private:
  using Answers = std::map<Rank, Report>;

  /// The last answer of one that has said the same twice, with nothing in between; null: it has
  /// not.
  Report const* unchanged(Rank rank) const;

  std::vector<Rank> round_;
  Answers said_;
  Answers said_before_;
  std::set<Rank> silent_;    ///< asked, and have not answered
  std::set<Rank> notified_;  ///< since this round began
  std::uint32_t question_ = 0;
};

}  // namespace earl::exec
