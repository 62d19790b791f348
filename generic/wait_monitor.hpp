// SPDX-License-Identifier: BSD-3-Clause
/// Whether a process can go on by itself: what it waits for, and whether it polls without success.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "generic/seams/report.hpp"
#include "generic/wait_state.hpp"

namespace earl {

class WaitMonitor {
 public:
  /// While it lives, the process is known to wait.
  class Pause {
   public:
    Pause(WaitMonitor& monitor, WaitState const& want, bool timed)
        : monitor_(monitor),
          wait_state_(std::exchange(monitor.wait_state_, &want)),
          timed_(std::exchange(monitor.timed_, timed)) {}
    ~Pause() {
      monitor_.wait_state_ = wait_state_;
      monitor_.timed_ = timed_;
      ++monitor_.waits_;
    }
    Pause(Pause const&) = delete;
    Pause& operator=(Pause const&) = delete;

   private:
    WaitMonitor& monitor_;
    WaitState const* wait_state_;
    bool timed_;
  };

  /// A question was answered no.
  template <class... What>
  void record_failed_poll(What const&... what) {
    describe(last_failed_poll_, what...);
    ++failed_polls_;
  }
  /// By the program, through the API.
  void record_clock_read() { ++clock_reads_; }
  /// From now on its failed polls are not all that the process waits for.
  void expect_external_events() { expects_external_events_ = true; }

  /// The wait that is under way; null: none is.
  WaitState const* wait_state() const { return wait_state_; }

  /// The state of the rest of the process.
  struct Activity {
    std::uint64_t events = 0;  ///< messages, packets, requests to EXEC ... so far, all counted once
    std::optional<std::uint64_t> clock_reads{};  ///< Port::clock_reads()
    /// Bytes or packets are on their way through this process: it makes progress that no other
    /// process may see.
    bool moving = false;
  };
  /// Fills in all that is about progress, and the failed poll. True: the process waits or polls, so
  /// that the report must say for what.
  bool judge(Report& report, Activity const& activity);

 private:
  bool reads_clocks(Report& report, std::optional<std::uint64_t> seen, bool moved);

  WaitState const* wait_state_ = nullptr;
  bool timed_ = false;              ///< that wait has a deadline
  std::uint64_t waits_ = 0;         ///< that are over
  std::uint64_t failed_polls_ = 0;  ///< questions that were answered no
  Need last_failed_poll_{};
  bool expects_external_events_ = false;
  std::uint64_t reported_progress_ = 0;
  std::uint64_t idle_since_ = 0;     ///< `failed_polls_` when a report saw progress last
  std::uint64_t clock_reads_ = 0;    ///< by the program, through the API
  std::uint64_t clocks_before_ = 0;  ///< clock reads when a report saw progress last
};

}  // namespace earl
