// SPDX-License-Identifier: BSD-3-Clause
/// Starts the ranks of a back end that has all of them in one process
/// (generic/seams/shared_process.hpp), and notices their ends.
#pragma once

#include <vector>

#include "exec/launcher/children/child_table.hpp"
#include "exec/launcher/children/launch.hpp"
#include "exec/launcher/children/shared_process_channel.hpp"
#include "exec/launcher/job/deadlock_monitor.hpp"
#include "exec/launcher/job/launch_context.hpp"
#include "exec/launcher/job/process_end_listener.hpp"

namespace earl::exec {

class SharedProcessLauncher final : private SharedProcessListener {
 public:
  struct Parts {
    Loop& loop;
    ChildTable& children;
    Output& output;
    DeadlockMonitor& monitor;
    ProcessEndListener& listener;
  };

  SharedProcessLauncher(LaunchContext const& context, Parts const& parts)
      : context_(context), parts_(parts), channel_(parts.loop, *this) {}

  /// Throws Refusal when the program's file cannot live there.
  Launched launch(Child& child, LaunchSpec const& spec);
  /// All first ranks have been launched.
  void begin() { channel_.begin(); }
  /// 0: it has not been started.
  pid_t pid() const { return channel_.pid(); }
  /// If the shared process itself has ended, so have all its ranks.
  void check();
  /// No rank is left: the shared process ends, and gdb gives the terminal back.
  void wait_for_gdb();

 private:
  void departed(Rank rank, int wait_status) override;
  void shared_process_stuck() override { parts_.monitor.shared_process_stuck(); }
  void shared_process_sleeps() override { parts_.monitor.shared_process_sleeps(); }
  void on_rank_message(Rank rank, control::Message message) override;

  Launched open();
  bool has_terminal() const;
  std::vector<Descriptor> descriptors_of(Child const& child) const;

  LaunchContext context_;
  Parts parts_;
  SharedProcessChannel channel_;
};

}  // namespace earl::exec
