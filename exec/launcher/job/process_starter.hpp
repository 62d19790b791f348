// SPDX-License-Identifier: BSD-3-Clause
/// Starts processes, each by the launcher of its kind.
#pragma once

#include <optional>

#include "exec/launcher/children/child_table.hpp"
#include "exec/launcher/hosts/placement.hpp"
#include "exec/launcher/job/guests.hpp"
#include "exec/launcher/job/local_launcher.hpp"
#include "exec/launcher/job/remote_spawns.hpp"
#include "exec/launcher/job/row_allocator.hpp"
#include "exec/launcher/job/shared_process_launcher.hpp"

namespace earl::exec {

class ProcessStarter {
 public:
  struct Parts {
    Output& output;
    ChildTable& children;
    Roster& roster;
    Placement const& placement;
    RowAllocator& rows;
    Guests const& guests;
    LocalLauncher& local;
    std::optional<SharedProcessLauncher>& shared;
    RemoteSpawns& remote;
  };

  ProcessStarter(LaunchContext const& context, Parts const& parts)
      : context_(context), parts_(parts) {}

  NewRow row_for(LaunchSpec const& spec, Place const& place) const;
  /// The row of a process that may run anywhere and has the `n`-th rank.
  NewRow row_for(LaunchSpec const& spec, std::uint32_t n) const {
    return row_for(spec, parts_.placement.of(n));
  }
  /// Gives a process that has its row what it has in common with the others of its spec.
  void equip(Child& child, LaunchSpec const& spec) const;
  /// Throws Refusal when the system will not start it; the rank counts as ended then.
  void start(Child& child, LaunchSpec const& spec);
  /// The process `child.registered_pid` has said hello.
  void registered(Child& child);
  /// Its rank counts as ended, and no end of it will come.
  void cancel(Child& child);

 private:
  Launched launch(Child& child, LaunchSpec const& spec);

  LaunchContext context_;
  Parts parts_;
};

}  // namespace earl::exec
