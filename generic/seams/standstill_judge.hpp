// SPDX-License-Identifier: BSD-3-Clause
/// For debuggers that must not wait for ever: what to do with a job that stands still.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>

#include "generic/seams/report.hpp"

namespace earl {

/// How a job that stands still is to end.
struct StandstillVerdict {
  std::optional<int> exit_code{};  ///< null: it goes on
  std::string sentence{};          ///< for the user
};

/// A process of a job that stands still.
struct StoppedProcess {
  Rank rank = no_rank;
  std::string program;  ///< what people call it
  Report report;
};

/// A JobInterceptor that is one of these, too, makes EXEC ask from time to time whether anything
/// moves.
class StandstillJudge {
 public:
  /// Every process that has not ended waits, or asks in vain, and has said so twice with nothing
  /// in between; nothing is under way between them. Ascending by rank. Null: that is no reason to
  /// end. Called in EXEC, between two events.
  virtual std::optional<StandstillVerdict> stands_still(
      std::span<StoppedProcess const> processes) = 0;
  /// Some have said twice, with nothing in between, that they wait; of the others nothing is known
  /// but that they may do something (`moves`). Gives what is to be said of that. Ascending by rank.
  virtual std::optional<std::string> some_stand_still(
      std::span<StoppedProcess const> /*processes*/) {
    return std::nullopt;
  }
  /// For `span` no process has received a message, and none is known to compute: each waits, polls
  /// or sleeps in a system call (`sleeps`); some may go on by themselves. Gives what is to be said
  /// of that. Ascending by rank.
  virtual std::optional<std::string> all_quiet(std::span<StoppedProcess const> /*processes*/,
                                               std::chrono::seconds /*span*/) {
    return std::nullopt;
  }
  /// The call that a process is in and its place in the program: "gisum at file.c:7". Null: this
  /// one does not look places up.
  virtual std::optional<std::string> call_in_words(Report const&) { return std::nullopt; }
  /// False: those that the user or EXEC would ask otherwise shall judge, too.
  virtual bool judges_alone() const { return true; }

 protected:
  ~StandstillJudge() = default;
};

/// A JobInterceptor that is one of these, too, hears of the end of a job that stands still.
class StandstillHearer {
 public:
  /// One of the judges has found so, and EXEC ends the job.
  virtual void stood_still(StandstillVerdict const& found) = 0;

 protected:
  ~StandstillHearer() = default;
};

}  // namespace earl
