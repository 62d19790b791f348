// SPDX-License-Identifier: BSD-3-Clause
/// Finds out when no process of a job, or none of some of them, can go on, and has debuggers judge
/// that.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exec/launcher/children/channels.hpp"
#include "exec/launcher/children/child_table.hpp"
#include "exec/launcher/children/partial_deadlock_detector.hpp"
#include "exec/launcher/children/quiescence_detector.hpp"
#include "exec/launcher/children/sleep_inspector.hpp"
#include "exec/launcher/events/loop.hpp"
#include "exec/launcher/job/interceptors.hpp"
#include "exec/launcher/roster/roster.hpp"
#include "exec/launcher/services/service_context.hpp"

namespace earl::exec {

class DeadlockMonitor {
 public:
  /// The monitor's view of its job.
  class Client {
   public:
    virtual bool ending() const = 0;
    /// Consoles and guests may come, and set processes going.
    virtual bool accepts_guests() const = 0;
    /// Reads and delivers what processes have printed by now: a subscriber may go on with it.
    virtual void read_output() = 0;
    /// Processes whose requests EXEC itself is working on: they do not wait for other processes.
    virtual std::vector<Rank> being_served() const = 0;
    virtual void report(std::string_view sentence) = 0;
    virtual void end(int exit_code) = 0;

   protected:
    ~Client() = default;
  };
  /// The parts of the job that the monitor looks at.
  struct Parts {
    Loop& loop;
    Channels& channels;
    ChildTable& children;
    Roster const& roster;
    JobInterceptors const& interceptors;
    std::span<Service* const> services;
    bool shared_process = false;  ///< all ranks live in one
  };

  DeadlockMonitor(Parts const& parts, Client& client) : parts_(parts), client_(client) {}

  /// All first processes have been started. In a shared process nothing is to be done: it says by
  /// itself when its ranks are stuck.
  void start();
  /// The answer to an inquiry of this monitor.
  void reported(Rank from, Report report);
  /// EXEC has sent `rank` something, which may set it going.
  void notified(Rank rank);
  /// A process has ended.
  void ended() { quiescence_.disturbed(); }
  /// EXEC has forgotten the process, and its rank does not come back.
  void released(Rank rank) { partial_deadlock_.remove(rank); }

  /// No rank of the shared process can continue by itself.
  void shared_process_stuck();
  /// None has for some time; one will, in time.
  void shared_process_sleeps();

 private:
  /// No message is received, and no process computes.
  struct Quiet {
    std::vector<std::uint64_t> state{};
    Deadline since{};
  };

  bool has_judge() const;
  /// There is nothing to find out any more.
  bool is_over() const;
  void check_quiescence();
  /// Another round, beside the regular ones.
  void check_again(Clock::duration pause);
  void begin_round();
  /// Unless one is under way, or has found that the job stands still.
  void begin_round_if_unknown();
  void inspect_silent(Rank rank);
  void inquire(Rank rank, std::uint32_t question);
  void continue_round(std::optional<Rank> next);
  void take_early_answers();
  void complete(std::vector<WaitingProcess>& processes) const;
  void judge_quiescence();
  void judge(std::vector<WaitingProcess> processes);
  std::string ended_text() const;
  void find_deadlock_cycles();
  void ask_all();
  void report_deadlock_cycles();
  void search_later();
  void report_quiet();
  void look_into_sleepers(std::span<WaitingProcess> processes) const;
  std::optional<std::vector<std::uint64_t>> state_of(std::span<WaitingProcess const> idle) const;

  Parts parts_;
  Client& client_;
  QuiescenceDetector quiescence_;
  PartialDeadlockDetector partial_deadlock_;
  SleepInspector sleep_inspector_;
  std::unordered_map<Rank, Report> early_{};  ///< answers before their turn
  Deadline round_began_{};
  Clock::duration round_took_{};  ///< the last that ended with all processes waiting
  bool inspected_ = false;        ///< a process of the round has not answered in time
  bool checks_again_ = false;     ///< if such a round ends, another one follows it soon
  int asleep_ = 0;                ///< inspections in a row at which one that does not answer slept
  Clock::duration search_pause_ = std::chrono::seconds{2};  ///< before the next search for cycles
  bool searching_ = false;                                  ///< such a search is under way
  std::optional<Quiet> quiet_{};
  bool quiet_reported_ = false;
  /// A rank of the shared process may be woken from outside: do not ask at once.
  bool held_off_ = false;
};

}  // namespace earl::exec
