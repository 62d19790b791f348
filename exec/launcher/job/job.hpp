// SPDX-License-Identifier: BSD-3-Clause
/// One job, from its first process to its last: the EXEC process of the thesis.
#pragma once

#include <array>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "exec/launcher/children/channels.hpp"
#include "exec/launcher/children/housing.hpp"
#include "exec/launcher/children/input_tap.hpp"
#include "exec/launcher/children/launch.hpp"
#include "exec/launcher/children/partial_deadlock_detector.hpp"
#include "exec/launcher/children/quiescence_detector.hpp"
#include "exec/launcher/children/sleep_inspector.hpp"
#include "exec/launcher/events/signals.hpp"
#include "exec/launcher/hosts/hosts.hpp"
#include "exec/launcher/hosts/placement.hpp"
#include "exec/launcher/layout.hpp"
#include "exec/launcher/output/output.hpp"
#include "exec/launcher/plan.hpp"
#include "exec/launcher/programs/programs.hpp"
#include "exec/launcher/roster/roster.hpp"
#include "exec/launcher/services/named_services.hpp"
#include "exec/launcher/services/partitions.hpp"
#include "exec/launcher/services/waits.hpp"
#include "generic/seams/backend.hpp"
#include "generic/seams/job_interceptor.hpp"
#include "generic/system/pipe.hpp"
#include "generic/system/standard_input.hpp"

namespace earl::exec {

class Job final : private ChannelHearer,
                  private SharedProcessListener,
                  private HostsHearer,
                  private ServiceContext {
 public:
  /// `programs` are the plan's, found and judged. Throws Error (UsageError when the plan asks for
  /// more than there can be) before anything has started.
  Job(Plan const& plan, std::vector<Program> programs, Layout const& layout);
  ~Job();

  /// Before run(): the process `unix_pid`, which EXEC has not started, is a member; `channel` is
  /// EXEC's end of its line.
  void admit(Descriptor channel, pid_t unix_pid);
  /// Before run(): holds a partition for a host that connects to `listener`, until it is released.
  void keep(Descriptor listener, std::string_view name, std::uint32_t places);

  /// Before run(): lives until the user ends it; programs that were started without an EXEC
  /// connect to `listener` and are members.
  void hold_session(Descriptor listener);

  /// Before run(): this user's `earl console` may join. Throws Error.
  void open_console();

  /// Runs it to its end; gives the exit code of `earl`.
  int run();

 private:
  struct Request {
    Rank from{};
    control::Message message{};
  };
  struct Death {
    Rank rank{};
    int wait_status = 0;
  };
  /// On other hosts: the answer waits until these have reported the outcome.
  struct Spawning {
    PendingReply reply;
    SpawnAnswer answer;
    std::set<Rank> unheard;
  };
  /// The common part of several processes of one program.
  struct Batch {
    std::string name;  ///< its name for people
    Program program;
    std::vector<std::string> arguments;  ///< with argv[0]
    std::vector<std::string> environment{};
    std::string folder{};
    std::optional<cpu_set_t> processors{};
    std::string processor_words{};
    std::uint32_t flags = 0;
    std::uint32_t label = 0;
    Rank parent = no_rank;
    std::uint32_t number = 0;
    std::uint32_t size = 1;
    std::shared_ptr<Catcher> catcher{};
    std::optional<TellRequest> tell{};  ///< the subscriber of their output
  };
  /// Loaded, and waits to be started.
  struct Held {
    Rank rank{};
    Batch batch;
  };

  // start.cpp
  void watch_machine();
  void blame(Error const& machine);
  void build_interceptors();
  NewRow initial_row(std::size_t app, Batch const& batch) const;
  void start_initial();
  void give_host_its_nodes();
  NewRow row_for(Batch const& batch, Place const& place) const;
  /// The place of the next process, which may run anywhere.
  Place next_place() const { return placement_.of(roster_->count()); }
  Child& add_child(NewRow const& row);
  Child& child_at(Rank rank) { return *children_.at(rank); }
  Child const& child_at(Rank rank) const { return *children_.at(rank); }
  void equip(Child& child, Batch const& batch);
  void start(Child& child, Batch const& batch);
  void never_started(Child& child);
  Launched launch_child(Child& child, Batch const& batch);
  int input_for(Child const& child) const;
  void settle_input();
  void listen_to_input(std::vector<InputListener*> listeners);
  int input_fd() const { return input_ ? input_.get() : STDIN_FILENO; }
  pid_t group_for(Child const& child) const;
  Pipe way_out(Child const& child, std::string_view stream) const;
  void forward(Child const& child, Batch const& batch, pid_t writer, Pipe out, Pipe error);
  std::shared_ptr<CaughtOutput> caught_output(Child const& child) const;
  Stream stream_of(Child const& child, Batch const& batch) const;
  std::string prefix_of(Child const& child, Batch const& batch) const;
  std::vector<std::string> job_environment(std::vector<std::string> environment) const;
  std::vector<std::string> process_environment(std::vector<std::string> environment,
                                               std::string const& program) const;
  static std::string pid_of(Child const& child);
  std::string place_of(Child const& child) const;
  Batch batch_of(std::size_t app) const;

  // requests.cpp
  void said_hello(Child& child, control::Hello const& hello) override;
  void registered(Child& child, std::string_view front_end);
  void asked(Child& child, control::Message message) override;
  void wrote(Child& child) override;
  void distrusted(Child& child, std::string_view why) override;
  void hung_up(Child& child) override;
  void left(Child& child, int exit_code) override;
  void said_goodbye(Child& child) override;
  bool may_serve(Request const& request);
  bool may_tell(Death const& death);
  void serve_waiting();
  bool tell_next();
  bool serve_next();
  bool gives_up();
  void give_up(Error const& error);
  void serve(Request const& request);
  void take_in(PendingReply const& reply, Bytes body);
  void send_answer(PendingReply const& reply, Bytes answer) override;
  void tell(Rank to, Header const& header, Bytes payload) override;
  Child* receiver(Rank to);
  Roster const& roster() const override { return *roster_; }
  HostList hosts() const override;

  // house.cpp
  Launched open_shared_process();
  Launched shared_process_child(Child& child, Batch const& batch);
  bool prints_itself(Child const& child) const;
  std::vector<Descriptor> descriptors_of(Child const& child) const;
  void departed(Rank rank, int wait_status) override;
  void shared_process_stuck() override;
  void shared_process_sleeps() override;
  void rank_said(Rank rank, control::Message message) override;
  void look_at_shared_process();
  bool shared_process_has_terminal() const;
  void wait_for_gdb();

  // hosts.cpp
  void prepare_hosts(JobFacts const& facts);
  void summon_hosts();
  Launched launch_elsewhere(Child& child, Batch const& batch);
  void hear(Child& child, Batch const& batch);
  bool printed(control::Printed const& text) override;
  void piece_came(control::TracePieces const& words) override;
  void started(Rank rank) override;
  void refused(Rank rank, int error, std::string_view sentence) override;
  void answer_when_started(PendingReply const& reply, SpawnAnswer started);
  Spawning* spawning_of(Rank rank);
  void answer_spawnings();
  void host_lost(std::uint32_t host, std::string_view sentence) override;
  void dismiss_hosts();
  /// The transport of messages, as text.
  std::string way() const;
  std::uint32_t rejected_connections() const { return hosts_ ? hosts_->rejected_connections() : 0; }

  // processes.cpp
  SpawnAnswer spawn(Child& parent, SpawnRequest const& request);
  ProgramQuery query_for(Child& parent, SpawnRequest const& request) const;
  Batch batch_for(Child& parent, SpawnRequest const& request);
  std::shared_ptr<Sink> place_for(Child const& child, int descriptor);
  std::shared_ptr<Catcher> catcher_for(Child const& parent, CatchRequest const& wanted);
  void check_room() const;
  StatusAnswer signal(SignalRequest const& request);
  StatusAnswer status(Rank rank) const;

  // telling.cpp
  void tell_of(Child const& child, Batch const& batch, pid_t writer);
  void tell_of_start(Child const& child);
  void tell_soon();
  void tell_output(TellRequest const& wanted, std::string_view message);
  void tell_all();
  bool tell_next_output();
  bool tell_piece(OutputSubscription& output);
  void give_up_telling(OutputSubscription& output);

  // release.cpp
  Rank choose_rank();
  bool may_release(Child const& child) const;
  bool try_release(Rank rank);
  void release_some(std::size_t most);
  void release_soon(Child const& child);
  void await_row(Rank rank);
  bool awaits_room(Request const& request);
  void remove_released();

  // partitions.cpp
  CountAnswer release(std::uint32_t partition);
  ReserveAnswer reserve_places(Places const& where);
  void expect_host(std::uint32_t partition);
  LoadAnswer load(Child& parent, LoadRequest const& request);
  void seat_reserved(Rank rank, Batch const& batch);
  void start_seated(LoadAnswer& answer, Batch const& batch, Rank rank, bool hold);
  CountAnswer unhold(Places const& where);
  CountAnswer end_processes(Places const& where);
  Child& seat(Places const& where, NewRow row);
  bool taken(Places const& where) const;
  bool vacated(Rank rank) const;
  bool held(Rank rank) const;
  bool meant(Rank rank, Places const& where) const;

  // forked.cpp
  LoadAnswer adopt(Child& parent, AdoptRequest const& request);
  Child& take_in_forked(Child const& parent, AdoptRequest const& request, Descriptor channel);
  void forked_ended(Child& child);

  // guests.cpp
  void connect(Child& child, pid_t unix_pid, Descriptor handle);
  std::vector<int> handed_to(Child const& child) const;
  void visited();
  void watch_listener();
  void disconnect_consoles();
  void close_door();
  bool is_console(std::string const& path) const;
  StatusAnswer halt(int signal);
  Child& guest_for(std::string const& path);
  void end_guest(Child& child, int signal);
  void guest_ended(Child& child);

  // ends.cpp
  void caught(Caught const& signal);
  void pause(bool terminal_did);
  void look_at(Child& child);
  void look_at_all();
  void died(Child& child, int wait_status);
  void judge(Child& child);
  void condemn(Child& child);
  void judge_kept(Child const& child);
  void limit_zombies();
  void mark_ended(Child const& child);
  void end(int exit_code, int signal);
  void escalate();
  void signal_all(int signal, bool terminal_did);
  void output_broken(Stream stream, int number);
  void out_of_time();
  int finish();
  int judge_files(int exit_code);
  void shut_machine();
  void remove_stragglers();
  bool over() const {
    bool const kept = session_server_ && ending_ == 0 && (session_ || !partitions_->empty());
    return members() == 0 && !kept;
  }
  /// Processes that are there, without consoles.
  std::uint32_t members() const { return alive_ - consoles_; }
  int own_exit_code() const;
  std::string describe(Child const& child) const;

  // standstill.cpp
  void watch_for_standstill();
  bool has_judge() const;
  bool has_judge_alone() const;
  void look_for_standstill();
  void detector();
  void look_at_silent(Rank rank);
  void inquire(Rank rank);
  void went_on(std::optional<Rank> next);
  void reported(Child& child, Report report) override;
  void look_up_calls(PendingReply const& reply, Rank other);
  void call_reported(Rank from, Report const& report);
  void answer_calls(std::uint32_t question);
  void complete(std::vector<StoppedProcess>& processes) const;
  void judge_standstill();
  void judge(std::vector<StoppedProcess> processes);
  void find_deadlock_cycles();
  void ask_all();
  void report_deadlock_cycles();
  template <class Words>
  void say_all(Words words_of);
  void look_for_quiet();
  void look_into_sleepers(std::span<StoppedProcess> processes) const;
  std::optional<std::vector<std::uint64_t>> state_of(std::span<StoppedProcess const> idle) const;

  void say(std::string_view sentence);

  Plan const& plan_;
  std::vector<Program> programs_;
  Layout const& layout_;
  std::size_t host_ = 0;  ///< the app that may load others; the count of apps: none
  Inherited inherited_{};
  Loop loop_;
  Signals signals_;
  Output output_;
  Channels channels_;
  Descriptor null_;
  Descriptor input_;  ///< the reader's input; none: EXEC's standard input itself
  std::unique_ptr<InputTap> tap_;
  std::vector<Descriptor> farewells_;  ///< lines of bare hosts that wait for the job's end
  Descriptor listener_;  ///< of a session server, until its partition is released, or for consoles
  bool session_server_ = false;
  bool session_ = false;       ///< a session server of no partition, until the user ends it
  bool loses_pieces_ = false;  ///< of debuggers' files on other hosts
  Descriptor control_number_;  ///< keeps the number that children get their channel as
  bool adopts_ = false;        ///< every child of EXEC is of this job
  bool terminal_ = false;      ///< EXEC's standard input is one
  std::string mark_;           ///< in the environment of the job's processes
  std::unique_ptr<Roster> roster_;
  std::unique_ptr<PreparedJob> prepared_;
  std::unique_ptr<Housing> housing_;  ///< null: every rank is a process
  std::unique_ptr<Hosts> hosts_;      ///< null: all are on this host
  Placement placement_;
  std::vector<std::unique_ptr<JobInterceptor>> interceptors_;
  std::map<Rank, std::unique_ptr<Child>> children_;
  std::deque<Rank> unreleased_;  ///< ended and announced, and their rows are not free yet
  std::vector<Rank> released_;   ///< their children_ are still there
  std::optional<Clock::time_point> room_awaited_{};  ///< by a spawn, since then
  bool room_look_due_ = false;
  std::unordered_map<pid_t, Rank> by_pid_;
  std::deque<Request> waiting_;  ///< requests that have not been taken in
  std::deque<Death> deaths_;     ///< that have not been announced
  std::vector<Held> held_;
  std::vector<std::shared_ptr<OutputSubscription>> told_;
  std::unique_ptr<Partitions> partitions_;
  Waits waits_{*this};
  NamedServices named_services_{*this};
  std::array<Service*, 2> services_{&waits_, &named_services_};
  std::deque<Rank> zombies_;
  std::list<Spawning> spawnings_;
  QuiescenceDetector quiescence_;
  PartialDeadlockDetector partial_deadlock_;
  /// A process has asked in which calls it and another one are.
  struct CallsAsked {
    PendingReply reply{};
    Rank other = no_rank;
    std::uint32_t question = 0;
    bool other_answers = true;  ///< false: it has ended
    CallsAnswer answer{};
  };
  std::vector<CallsAsked> calls_;
  std::uint32_t questions_ = 0;  ///< of that kind
  Clock::duration cycle_search_pause_ =
      std::chrono::seconds{2};    ///< before the next look at some alone
  bool searches_cycles_ = false;  ///< such a look is under way
  /// No message is received, and no process computes.
  struct Quiet {
    std::vector<std::uint64_t> state{};
    Deadline since{};
  };
  std::optional<Quiet> quiet_{};
  bool said_quiet_ = false;
  bool held_off_ =
      false;  ///< one in the shared process may be woken from outside: do not ask at once
  SleepInspector sleep_inspector_;
  int asleep_ = 0;  ///< looks in a row at which one that does not answer slept
  bool serving_ = false;
  bool telling_due_ = false;
  bool scan_due_ = false;
  bool interrupted_ = false;  ///< by the user, again, while the job is ending
  std::uint32_t alive_ = 0;
  std::uint32_t consoles_ = 0;  ///< of them, consoles
  std::uint32_t batches_ = 0;
  std::uint32_t dropped_ = 0;  ///< channels closed for malformed messages
  pid_t guard_ = 0;            ///< ends the group when EXEC cannot; 0: there is none
  pid_t group_ = new_group;    ///< the nodes' process group, once there is one
  int ending_ = 0;             ///< the signal sent last to end the job; 0: it goes on
  std::optional<int> exit_code_;
};

}  // namespace earl::exec
