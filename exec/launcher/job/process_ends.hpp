// SPDX-License-Identifier: BSD-3-Clause
/// Notices the ends of processes, and lets all parts of the job act on them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "exec/launcher/children/channels.hpp"
#include "exec/launcher/children/child_table.hpp"
#include "exec/launcher/job/deadlock_monitor.hpp"
#include "exec/launcher/job/failure_policy.hpp"
#include "exec/launcher/job/process_end_listener.hpp"
#include "exec/launcher/job/process_group.hpp"
#include "exec/launcher/job/remote_spawns.hpp"
#include "exec/launcher/job/request_gate.hpp"
#include "exec/launcher/job/shared_process_launcher.hpp"
#include "exec/launcher/job/zombies.hpp"

namespace earl::exec {

class ProcessEnds final : public ProcessEndListener {
 public:
  struct Parts {
    Plan const& plan;
    Loop& loop;
    Output& output;
    Channels& channels;
    ChildTable& children;
    Roster& roster;
    JobBackEnd const& back_end;
    ProcessGroup const& group;
    std::optional<SharedProcessLauncher>& shared;
    RemoteSpawns& remote;
    DeadlockMonitor& monitor;
    Shutdown const& shutdown;
    FailurePolicy& failures;
    RequestGate& gate;
  };

  explicit ProcessEnds(Parts const& parts) : parts_(parts) {}

  /// A child process of EXEC has ended, or several.
  void signalled(pid_t child);
  /// Whether this one has ended.
  void check(Child& child);
  /// Its program has ended; its back end may keep it until all others have left, which may wait
  /// for it: so its end is announced now.
  void left(Child& child, int exit_code);
  void ended(Child& child, int wait_status) override;
  /// Nothing is left of the process.
  void reap(Child const& child) { zombies_.reap(child); }
  /// Once all have ended: of a replay in which the records of some end before their programs do.
  void report_cut_records() const;

 private:
  void look_at_all();
  void queue_death(Child& child);
  void report_to_back_end(Child const& child);
  void judge(Child& child);

  Parts parts_;
  Zombies zombies_{parts_.children};
  bool look_due_ = false;
  std::uint64_t cut_records_ = 0;
  std::string first_cut_{};  ///< in a sentence
};

}  // namespace earl::exec
