// SPDX-License-Identifier: BSD-3-Clause
/// The agent: starts the processes of one host for an EXEC on another, and stands between them.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "exec/launcher/agent/back_ends.hpp"
#include "exec/launcher/agent/outlets.hpp"
#include "exec/launcher/agent/remote_collectors.hpp"
#include "exec/launcher/agent/row_releases.hpp"
#include "exec/launcher/children/channels.hpp"
#include "exec/launcher/children/launch.hpp"
#include "exec/launcher/events/signals.hpp"
#include "exec/launcher/hosts/host_line.hpp"
#include "exec/launcher/resources/cpu_binding.hpp"
#include "exec/launcher/roster/roster.hpp"

namespace earl::exec {

class Agent final : private ChannelListener, private LineListener, private RowReleases::Client {
 public:
  explicit Agent(AuthenticatedSocket to_exec);
  ~Agent();

  /// Returns when EXEC has closed the connection, or is gone. Then no process of the job is left on
  /// this host.
  void run();

 private:
  void on_host_message(control::Message message) override;
  void on_line_ended(std::string_view why) override;

  bool on_message(Child& child, control::Message& message) override;
  void on_hello(Child&, control::Hello const&) override {}
  void on_request(Child&, control::Message) override {}
  void on_report(Child&, Report) override {}
  void on_sent(Child& child) override { back_ends_->notify_control(child.rank); }
  void on_protocol_error(Child& child, std::string_view why) override;
  void on_leaving(Child&, int) override {}
  void on_goodbye(Child&) override {}
  void on_disconnected(Child&) override {}

  void released(Rank rank) override;

  void follow(control::Message message);
  void give_up(Error const& error);
  void watch_back_ends();
  void report_connectivity();
  void ping();
  void report();
  void configure(control::HostConfiguration configuration);
  void table_changed(control::TableUpdate const& update);
  void release(Rank rank);
  void start(control::LaunchRequest const& request);
  int launch_child(Child& child, control::LaunchRequest const& request);
  Descriptor output_pipe(Rank rank, int stream);
  Descriptor input_pipe();
  std::vector<std::string> environment_for(Rank rank) const;
  void passed(control::RankMessage passed);
  void signal(control::RankValue const& word);
  void refuse(Rank rank, int error);

  void handle_signal(SignalEvent const& signal);
  void look_at_all();
  void died(Child& child, int wait_status);
  void remove_processes();

  Loop loop_;
  Signals signals_;
  HostLine line_;
  Channels channels_;
  Outlets outlets_;
  Inherited inherited_{};
  Descriptor null_;
  Descriptor control_number_;  ///< keeps the number that children get their channel as
  std::string mark_;           ///< in the environment of the processes here
  RemoteCollectors collectors_;
  pid_t watchdog_ = 0;
  pid_t group_ = new_group;
  std::optional<control::HostConfiguration> configuration_{};
  CpuBinding binding_{};
  std::optional<control::ProgramDescription> program_{};
  std::unique_ptr<Roster> roster_{};
  std::unique_ptr<AgentBackEnds> back_ends_{};
  std::optional<RowReleases> releases_{};
  std::unordered_map<std::int32_t, std::unique_ptr<Child>> children_{};
  std::unordered_map<pid_t, Child*> by_pid_{};
  bool scan_due_ = false;
  bool over_ = false;
};

}  // namespace earl::exec
