// SPDX-License-Identifier: BSD-3-Clause
/// For debuggers that must not wait for ever: the verdict on a quiescent job.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "generic/seams/report.hpp"

namespace earl {

/// A process that cannot continue, and one that it waits for.
struct KnownWait {
  Rank waiter = no_rank;
  Rank awaited = no_rank;  ///< no_rank: any process
  bool in_cycle = false;   ///< of the deadlock cycle that is reported

  bool operator==(KnownWait const&) const = default;
};

/// The verdict on a quiescent job.
struct StandstillVerdict {
  std::optional<int> exit_code{};  ///< null: it goes on
  std::string sentence{};          ///< for the user
  std::vector<KnownWait> waits{};
};

/// A process of a quiescent job.
struct WaitingProcess {
  Rank rank = no_rank;
  std::string program;  ///< its name for people
  Report report;
};

/// A JobInterceptor that is one of these, too, makes EXEC ask from time to time whether anything
/// moves.
class StandstillJudge {
 public:
  /// Every process that has not ended waits, or its polls fail, and it has said so twice with
  /// nothing in between; nothing is under way between them. Ascending by rank. Null: that is no
  /// reason to end. Called in EXEC, between two events.
  virtual std::optional<StandstillVerdict> judge_quiescence(
      std::span<WaitingProcess const> processes) = 0;
  /// Some processes have twice reported that they wait, with no event in between; of the others
  /// nothing is known but that they may act (`moves`). Returns the text to report. Ascending by
  /// rank.
  virtual std::optional<std::string> report_partial_deadlock(
      std::span<WaitingProcess const> /*processes*/) {
    return std::nullopt;
  }
  /// For `span` no process has received a message, and none is known to compute: each waits, polls
  /// or sleeps in a system call (`sleeps`); some may go on by themselves. Returns the text to
  /// report. Ascending by rank.
  virtual std::optional<std::string> report_inactivity(
      std::span<WaitingProcess const> /*processes*/, std::chrono::seconds /*span*/) {
    return std::nullopt;
  }
  /// The call that a process is in and its place in the program: "gisum at file.c:7". Null: this
  /// one does not look places up.
  virtual std::optional<std::string> call_text(Report const&) { return std::nullopt; }
  /// False: those that the user or EXEC would ask otherwise shall judge, too.
  virtual bool judges_alone() const { return true; }

 protected:
  ~StandstillJudge() = default;
};

/// A JobInterceptor that is one of these, too, is notified of the end of a quiescent job.
class StandstillListener {
 public:
  /// One of the judges has found so, and EXEC ends the job.
  virtual void quiescence_judged(StandstillVerdict const& found) = 0;

 protected:
  ~StandstillListener() = default;
};

}  // namespace earl
