// SPDX-License-Identifier: BSD-3-Clause
/// Starts, signals and looks up processes for other processes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "exec/launcher/job/process_starter.hpp"

namespace earl::exec {

class ProcessService {
 public:
  struct Parts {
    Loop& loop;
    Output& output;
    ChildTable& children;
    Roster& roster;
    Placement& placement;
    RowAllocator& rows;
    Shutdown& shutdown;
    OutputDelivery& delivery;
    Guests const& guests;
    ProcessStarter& starter;
    ServiceContext& services;
  };

  ProcessService(LaunchContext const& context, Parts const& parts)
      : context_(context), parts_(parts) {}

  SpawnAnswer spawn(Child& parent, SpawnRequest const& request);
  StatusAnswer status(Rank rank) const;
  StatusAnswer signal(SignalRequest const& request);

  /// The spec of the processes that `parent` wants. Throws Refusal.
  LaunchSpec spec_for(Child& parent, SpawnRequest const& request);
  /// Throws Refusal when the job has no room for one more process.
  void check_room() const;

 private:
  ProgramQuery query_for(Child const& parent, SpawnRequest const& request) const;
  std::shared_ptr<Sink> place_for(Child const& child, int descriptor);
  std::shared_ptr<Catcher> catcher_for(Child const& parent, CatchRequest const& wanted);
  void allocate(std::vector<Rank>& ranks, Child const& parent, SpawnRequest const& request,
                LaunchSpec const& spec);
  void start_all(SpawnAnswer& answer, std::vector<Rank> const& ranks, LaunchSpec const& spec);
  StatusAnswer end_session(int signal);

  LaunchContext context_;
  Parts parts_;
};

}  // namespace earl::exec
