// SPDX-License-Identifier: BSD-3-Clause
/// Loads processes into partitions, and ends them there.
#pragma once

#include <vector>

#include "exec/launcher/job/process_service.hpp"
#include "exec/launcher/services/partitions.hpp"
#include "exec/launcher/services/waits.hpp"

namespace earl::exec {

class PartitionService {
 public:
  struct Parts {
    Output& output;
    ChildTable& children;
    Roster& roster;
    RowAllocator& rows;
    Guests& guests;
    ProcessStarter& starter;
    ProcessService& processes;
    Partitions& partitions;
    Waits& waits;
  };

  explicit PartitionService(Parts const& parts) : parts_(parts) {}

  LoadAnswer load(Child& parent, LoadRequest const& request);
  /// Starts processes that were loaded to be started later.
  CountAnswer unhold(Places const& where);
  ReserveAnswer reserve(Places const& where);
  CountAnswer end_processes(Places const& where);
  /// Ends its processes, too.
  CountAnswer release(std::uint32_t partition);

  /// A process is there already, which has not been asked to end.
  bool taken(Places const& where) const;
  /// The process of that place and label: reserved before, or new.
  Child& row_for(Places const& where, NewRow row);

 private:
  /// Loaded, and waits to be started.
  struct Held {
    Rank rank{};
    LaunchSpec spec;
  };

  void expect_host(std::uint32_t partition);
  void fill_reserved(Rank rank, LaunchSpec const& spec);
  void start_loaded(LoadAnswer& answer, LaunchSpec const& spec, Rank rank, bool hold);
  bool ended_or_killed(Rank rank) const;
  bool is_held(Rank rank) const;
  bool meant(Rank rank, Places const& where) const;

  Parts parts_;
  std::vector<Held> held_;
};

}  // namespace earl::exec
