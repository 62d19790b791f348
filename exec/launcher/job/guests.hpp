// SPDX-License-Identifier: BSD-3-Clause
/// Processes that EXEC has not started: a bare host program, tasks of a session, and consoles.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "exec/launcher/children/channels.hpp"
#include "exec/launcher/children/child_table.hpp"
#include "exec/launcher/events/loop.hpp"
#include "exec/launcher/job/job_back_end.hpp"
#include "exec/launcher/job/process_end_listener.hpp"
#include "exec/launcher/job/row_allocator.hpp"
#include "exec/launcher/job/serving.hpp"
#include "exec/launcher/output/output.hpp"
#include "exec/launcher/plan.hpp"
#include "exec/launcher/roster/roster.hpp"
#include "exec/launcher/services/named_services.hpp"

namespace earl::exec {

class Guests {
 public:
  struct Parts {
    Plan const& plan;
    Loop& loop;
    Output& output;
    Channels& channels;
    ChildTable& children;
    Roster& roster;
    JobBackEnd const& back_end;
    NamedServices const& services;
    RowAllocator& rows;
    ProcessEndListener& listener;
  };

  explicit Guests(Parts const& parts) : parts_(parts) {}

  /// Programs that connect to `listener` are members, until the partition that EXEC holds is
  /// released.
  void keep(Descriptor listener);
  /// The same until the user ends the session.
  void hold_session(Descriptor listener);
  /// This user's consoles may join the job. Throws Error.
  void open_console();

  Serving serving() const { return serving_; }
  /// Guests may come.
  bool accept() const { return serving_ != Serving::job || listener_; }
  /// The first processes have been started, whose ranks come first.
  void start();
  /// The process `unix_pid` is a member; `channel` is EXEC's end of its line.
  void admit(Descriptor channel, pid_t unix_pid);

  /// It has said that it leaves. It waits for its channel to be closed: at once by a session
  /// server, else when the job has ended.
  void detach(Child& child);
  /// Its channel is closed, or is to be.
  void ended(Child& child);
  /// Ends its part in the job. A bare host, and a member of a session that has not left it, gets
  /// the signal; others only lose their line to the job.
  void end(Child& child, int signal);

  /// The last partition has been released: the name of a session server is free again.
  void close_server();
  /// A program that comes from now on finds no session, and may start another.
  void close_session();
  /// The job has ended: consoles are notified, and no more are accepted.
  void disconnect_consoles();

 private:
  void watch();
  void close();
  void accept_one();
  bool is_console(std::string const& path) const;
  Child& child_for(std::string const& path, bool console);

  Parts parts_;
  Serving serving_ = Serving::job;
  Descriptor listener_;
  std::vector<Descriptor> detached_;  ///< lines of bare hosts that wait for the job's end
};

/// `child`, which is no child process of EXEC, is alive; `on_end` is called when its process ends.
void watch_process(Child& child, pid_t unix_pid, Descriptor handle, Loop& loop,
                   std::function<void(Child&)> on_end);

}  // namespace earl::exec
