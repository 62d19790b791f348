// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "exec/launcher/children/channels.hpp"
#include "exec/launcher/job/job_back_end.hpp"
#include "exec/launcher/job/output_routes.hpp"
#include "exec/launcher/job/process_environment.hpp"
#include "exec/launcher/job/process_group.hpp"
#include "exec/launcher/job/standard_input.hpp"

namespace earl::exec {

/// The parts of a job that starting a process on this host takes.
struct LaunchContext {
  Plan const& plan;
  Layout const& layout;
  Channels& channels;
  Roster const& roster;
  JobBackEnd const& back_end;
  OutputRoutes& routes;
  StandardInput const& input;
  ProcessEnvironment const& environment;
  ProcessGroup& group;
  Inherited const& inherited;
  int control_number = -1;  ///< the descriptor that processes get their channel as

  bool several_hosts() const { return !plan.user_launcher && !plan.hosts.empty(); }
  control::Welcome welcome(Rank rank) const {
    return {.rank = rank, .back_end = plan.back_end, .tools = plan.tools};
  }
  /// The descriptors that go with a process's welcome.
  std::vector<int> descriptors(Rank rank) const {
    auto handed = back_end->descriptors(rank);
    handed.insert(handed.begin(), roster.descriptor());
    return handed;
  }
};

}  // namespace earl::exec
