// SPDX-License-Identifier: BSD-3-Clause
/// The processes that a job begins with.
#pragma once

#include <optional>
#include <vector>

#include "exec/launcher/job/process_starter.hpp"
#include "exec/launcher/services/partitions.hpp"
#include "exec/launcher/services/waits.hpp"

namespace earl::exec {

/// The app whose process may load others: it was linked as a host, or the user has not said how
/// many processes there are. None: there is no such app, or no app at all.
std::optional<std::size_t> host_app(Plan const& plan, std::vector<Program> const& programs);

class InitialProcesses {
 public:
  struct Parts {
    Plan const& plan;
    std::vector<Program> const& programs;  ///< of the plan's apps
    ChildTable& children;
    Roster& roster;
    RowAllocator& rows;
    ProcessEnvironment const& environment;
    ProcessStarter& starter;
    Partitions& partitions;
    Waits& waits;
  };

  explicit InitialProcesses(Parts const& parts) : parts_(parts) {}

  /// Throws Refusal.
  void start();

 private:
  LaunchSpec spec_of(std::size_t app) const;
  NewRow row_of(std::size_t app, LaunchSpec const& spec) const;
  void assign_nodes_to_host();

  Parts parts_;
  std::optional<std::size_t> host_ = host_app(parts_.plan, parts_.programs);
};

}  // namespace earl::exec
