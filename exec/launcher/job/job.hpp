// SPDX-License-Identifier: BSD-3-Clause
/// One job, from its first process to its last: the EXEC process of the thesis.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "exec/launcher/events/signals.hpp"
#include "exec/launcher/job/call_lookup.hpp"
#include "exec/launcher/job/forked_processes.hpp"
#include "exec/launcher/job/initial_processes.hpp"
#include "exec/launcher/job/process_ends.hpp"
#include "exec/launcher/job/service_messages.hpp"

namespace earl::exec {

/// Builds the parts of a job, and passes on to them what processes, the system and the user do.
class Job final : private ChannelListener,
                  private DeadlockMonitor::Client,
                  private RequestGate::Client,
                  private RowAllocator::Client,
                  private Shutdown::Client,
                  private FailurePolicy::Client {
 public:
  /// `programs` are the plan's, found and judged. Throws Error (UsageError when the plan asks for
  /// more than there can be) before anything has started.
  Job(Plan const& plan, std::vector<Program> programs, Layout const& layout);
  ~Job();

  /// Before run(): the process `unix_pid`, which EXEC has not started, is a member; `channel` is
  /// EXEC's end of its line.
  void admit(Descriptor channel, pid_t unix_pid) { guests_.admit(std::move(channel), unix_pid); }
  /// Before run(): holds a partition for a host that connects to `listener`, until it is released.
  void keep(Descriptor listener, std::string_view name, std::uint32_t places);
  /// Before run(): lives until the user ends it; programs that were started without an EXEC
  /// connect to `listener` and are members.
  void hold_session(Descriptor listener) { guests_.hold_session(std::move(listener)); }
  /// Before run(): this user's `earl console` may join. Throws Error.
  void open_console();

  /// Runs it to its end; gives the exit code of `earl`.
  int run();

 private:
  // ChannelListener
  void on_hello(Child& child, control::Hello const& hello) override;
  void on_request(Child& child, control::Message message) override;
  void on_report(Child& child, Report report) override;
  void on_sent(Child& child) override;
  void on_protocol_error(Child& child, std::string_view why) override;
  void on_disconnected(Child& child) override;
  void on_leaving(Child& child, int exit_code) override { ends_.left(child, exit_code); }
  void on_goodbye(Child& child) override { guests_.detach(child); }

  // DeadlockMonitor::Client
  bool ending() const override { return shutdown_.begun(); }
  bool accepts_guests() const override { return guests_.accept(); }
  void read_output() override;
  std::vector<Rank> being_served() const override;
  void report(std::string_view sentence) override { output_.report(sentence); }
  void end(int exit_code) override;

  // RequestGate::Client
  bool deliver_output() override { return delivery_.deliver_next(); }
  bool awaits_room(RequestGate::Request const& request) override;
  void announce(RequestGate::Death const& death) override;
  void serve(RequestGate::Request const& request) override;
  void debugger_failed(Error const& error) override;

  // RowAllocator::Client
  bool has_work_of(Rank rank) const override;
  bool some_leave() const override;
  void releasing(Child const& child) override;
  void room_changed() override { gate_.run(); }

  // Shutdown::Client
  void signal_all(int signal, bool by_terminal) override;
  bool has_members() const override { return children_.members() != 0; }

  // FailurePolicy::Client
  Serving serving() const override { return guests_.serving(); }
  void end_partition_of(Child const& child) override;

  void prepare_back_end();
  void back_end_failed(Error const& error);
  void answer(PendingReply const& reply, Bytes body);
  void handle_signal(SignalEvent const& signal);
  void pause(bool by_terminal);
  void output_broken(Stream stream, int number);
  void out_of_time();
  bool over() const;
  void start();
  int finish();
  void report_end(int exit_code);

  Plan const& plan_;
  Backend const& kind_;
  std::vector<Program> programs_;
  Layout const& layout_;
  Loop loop_;
  Signals signals_;
  Output output_;
  Channels channels_;
  Descriptor null_;
  std::string mark_;  ///< in the environment of the job's processes
  Inherited inherited_;
  Descriptor control_number_;  ///< keeps the number that children get their channel as
  ProcessGroup group_;
  Roster roster_;
  ChildTable children_;
  JobInterceptors interceptors_;
  JobBackEnd back_end_;
  Placement placement_;
  Partitions partitions_;
  Shutdown shutdown_;
  StandardInput input_;
  ProcessEnvironment environment_;
  ServiceMessages messages_;
  Waits waits_;
  NamedServices named_services_;
  std::array<Service*, 2> services_;
  DeadlockMonitor monitor_;
  CallLookup calls_;
  RequestGate gate_;
  OutputDelivery delivery_;
  OutputRoutes routes_;
  RowAllocator rows_;
  LaunchContext launching_;
  ProcessEnds ends_;
  Guests guests_;
  LocalLauncher local_;
  std::optional<SharedProcessLauncher> shared_;  ///< null: every rank is a process
  RemoteSpawns remote_;
  ProcessStarter starter_;
  InitialProcesses initial_;
  ProcessService processes_;
  PartitionService loading_;
  ForkedProcesses forked_;
  FailurePolicy failures_;
  std::uint32_t dropped_ = 0;  ///< channels closed because of what was written into them
};

}  // namespace earl::exec
