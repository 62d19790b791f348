// SPDX-License-Identifier: BSD-3-Clause
/// Jobs of several hosts: EXEC has agents started, and starts processes through them.
#pragma once

#include <list>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "exec/launcher/children/child_table.hpp"
#include "exec/launcher/children/launch.hpp"
#include "exec/launcher/hosts/hosts.hpp"
#include "exec/launcher/hosts/placement.hpp"
#include "exec/launcher/job/launch_context.hpp"
#include "exec/launcher/job/process_end_listener.hpp"
#include "exec/launcher/job/shutdown.hpp"
#include "exec/launcher/services/service_context.hpp"

namespace earl::exec {

/// In a job on one host it only answers spawns, at once.
class RemoteSpawns final : private HostsListener {
 public:
  struct Parts {
    Loop& loop;
    Output& output;
    ChildTable& children;
    Roster& roster;
    Placement const& placement;
    Shutdown& shutdown;
    ServiceContext& services;
    ProcessEndListener& listener;
  };

  RemoteSpawns(LaunchContext const& context, Parts const& parts)
      : context_(context), parts_(parts) {}

  /// The job has several hosts: before it starts. Returns the back end's half in EXEC. Throws
  /// Error.
  std::unique_ptr<PreparedJob> prepare(JobFacts const& facts);
  bool used() const { return hosts_ != nullptr; }
  /// Has agents started and waits for them. Throws Refusal when one cannot be started.
  void start_agents();
  Launched launch(Child& child, LaunchSpec const& spec);
  /// Answers a spawn when the agents have said whether the processes have started.
  void answer_when_started(PendingReply const& reply, SpawnAnswer answer);
  /// Processes whose spawns have no answer yet.
  std::vector<Rank> waiting_spawners() const;

  /// The hosts as processes see them.
  HostList list() const;
  /// The back ends that messages go over, as text.
  std::string back_end_text() const;
  std::uint32_t rejected_connections() const;
  /// The source for the process that reads standard input.
  void read_from(int fd);

  void look_at_launchers();
  void signal_all(int number);
  /// Agents end by themselves, and their launchers after them.
  void dismiss();

 private:
  /// A spawn whose answer waits until the agents have said what became of these processes.
  struct Spawn {
    PendingReply reply;
    SpawnAnswer answer;
    std::set<Rank> starting;
  };

  void on_rank_message(Rank rank, control::Message message) override;
  void on_process_ended(Rank rank, int wait_status) override;
  bool on_output(control::Printed const& text) override;
  void on_process_started(Rank rank) override;
  void on_start_refused(Rank rank, int error, std::string_view sentence) override;
  void on_file_piece(control::TracePieces const& message) override;
  void on_host_lost(std::uint32_t host, std::string_view sentence) override;

  Spawn* spawn_of(Rank rank);
  void answer_spawns();

  LaunchContext context_;
  Parts parts_;
  std::unique_ptr<Hosts> hosts_;  ///< null: all processes are on this host
  std::list<Spawn> spawns_;
  bool drops_pieces_ = false;  ///< of debuggers' files on other hosts
};

}  // namespace earl::exec
