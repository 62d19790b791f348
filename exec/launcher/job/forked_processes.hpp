// SPDX-License-Identifier: BSD-3-Clause
/// Processes that a process of the job has forked, and that join the job, too (NX nx_nfork).
#pragma once

#include "exec/launcher/job/partition_service.hpp"

namespace earl::exec {

class ForkedProcesses {
 public:
  struct Parts {
    Loop& loop;
    ChildTable& children;
    Roster& roster;
    Shutdown& shutdown;
    ProcessService& processes;
    PartitionService& partition_service;
    Partitions& partitions;
    Waits& waits;
    ProcessEndListener& listener;
    bool shared_process = false;  ///< whose ranks cannot fork
  };

  ForkedProcesses(LaunchContext const& context, Parts const& parts)
      : context_(context), parts_(parts) {}

  LoadAnswer adopt(Child& parent, AdoptRequest const& request);

 private:
  Child& adopt(Child const& parent, AdoptRequest const& request, Descriptor channel);
  void ended(Child& child);

  LaunchContext context_;
  Parts parts_;
};

}  // namespace earl::exec
