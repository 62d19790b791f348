// SPDX-License-Identifier: BSD-3-Clause
/// EXEC's view of the hosts that a job runs on: it has an agent started on each, by a
/// launcher, and talks to the job's processes through these.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exec/launcher/children/rank_channel.hpp"
#include "exec/launcher/hosts/call.hpp"
#include "exec/launcher/hosts/host_line.hpp"
#include "exec/launcher/hosts/host_list.hpp"
#include "exec/launcher/hosts/host_messages.hpp"
#include "exec/launcher/hosts/input.hpp"
#include "exec/launcher/hosts/link_choice.hpp"
#include "exec/launcher/hosts/row_requests.hpp"

namespace earl::exec {

/// Gets the events of the hosts. Processes are identified by their ranks.
class HostsListener {
 public:
  virtual void on_rank_message(Rank rank, control::Message message) = 0;
  /// It has ended, and how, as wait(2) reports it.
  virtual void on_process_ended(Rank rank, int wait_status) = 0;
  /// False: the user does not read, and no more of it should come now.
  virtual bool on_output(control::Printed const& text) = 0;
  virtual void on_process_started(Rank rank) = 0;
  /// It could not be started. `error`: errno.
  virtual void on_start_refused(Rank rank, int error, std::string_view sentence) = 0;
  /// A piece of a file that a debugger keeps there. Throws Error when it is malformed.
  virtual void on_file_piece(control::TracePieces const& message) = 0;
  /// Its agent is unreachable, from the start or now; all its processes are lost.
  virtual void on_host_lost(std::uint32_t host, std::string_view sentence) = 0;

 protected:
  ~HostsListener() = default;
};

class Hosts;

/// One of them.
class Host final : public RankChannel, private LineListener {
 public:
  Host(Hosts& hosts, std::uint32_t number, std::string name)
      : hosts_(hosts), number_(number), name_(std::move(name)) {}

  std::string const& name() const { return name_; }
  bool reached() const { return line_ && line_->open() && facts_; }
  bool configured() const { return reached() && configured_; }
  /// The facts that it has reported; once it is reached.
  HostFacts const& facts() const { return *facts_; }

  void pass(Rank rank, control::Type type, std::uint32_t ticket, std::uint32_t operation,
            Bytes body) override;
  void signal(Rank rank, int number) override;
  void handled() override {}

 private:
  friend class Hosts;

  void on_host_message(control::Message message) override;
  void on_line_ended(std::string_view why) override;

  Hosts& hosts_;
  std::uint32_t const number_;
  std::string const name_;
  std::unique_ptr<HostLine> line_{};
  std::vector<std::string> command_{};  ///< that starts its agent
  pid_t launcher_ = 0;                  ///< 0: it has ended, or not begun
  std::optional<HostFacts> facts_{};
  bool lost_ = false;
  bool configured_ = false;  ///< what it must know before its first process starts
  bool reuses_ = false;      ///< its back ends reuse rows
  std::optional<control::ConnectivityReport> connectivity_{};  ///< null: it has not said yet
  std::int32_t unacknowledged_ = 0;  ///< bytes printed that it does not know to be taken over
  std::optional<control::ProgramDescription> program_{};  ///< that was described to it last
};

class Hosts {
 public:
  /// `configuration`: that of all agents, but for their number. Throws Error.
  /// `listen`: as listening_address() takes it.
  Hosts(Loop& loop, HostsListener& listener, std::vector<RequestedHost> const& requested,
        std::string const& listen, control::HostConfiguration configuration);

  /// The debuggers' arguments for each host; before start().
  void set_tools(std::vector<control::ToolUse> tools) { configuration_.tools = std::move(tools); }
  /// Takes the transport between hosts that the user's settings request, else the best that all
  /// have. Before start(). Throws Error.
  void find_link();
  /// The remote command for each host's back end; before start().
  void set_remote_commands(std::vector<std::string> remote_commands) {
    remote_commands_ = std::move(remote_commands);
  }
  /// Has an agent started on each host: `agent` is its command there. Throws Error when there is no
  /// such launcher.
  void start(std::string const& launcher, std::vector<std::string> const& agent);
  /// All agents are there, and have their configuration.
  bool ready() const;
  /// The names of those that are not.
  std::string missing() const;
  /// Some child of this process has ended: it may be a launcher.
  void look_at_launchers();

  /// The back end towards other hosts; empty: there is one for all.
  std::string const& link() const { return configuration_.link; }
  /// Why that one, for people.
  std::string const& link_reason() const { return link_reason_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(hosts_.size()); }
  Host& at(std::uint32_t number) { return *hosts_[number]; }

  /// A piece of the id table has changed.
  void table_changed(std::uint32_t at, Bytes bytes);
  RankChannel& launch(std::uint32_t host, control::ProgramDescription const& program,
                      control::LaunchRequest const& request);
  /// Whether the back ends of all hosts reuse the rows of ended processes.
  bool reuse_rows() const;
  /// Has all hosts free what they keep for `rank`, which has ended. False: they have not all yet.
  bool release_row(Rank rank) { return rows_.released_by(count(), rank); }
  void wake_peers_for_releases() { rows_.wake_peers_for_release(); }
  /// To every process of the job and their orphans.
  void signal_all(int number);
  /// Ends all agents.
  void hang_up();
  /// All agents have closed their lines, and their launchers have ended.
  bool gone() const;
  std::uint32_t rejected_connections() const { return switchboard_.rejected_connections(); }
  /// The standard input of the process that reads it; EXEC's own at first.
  void read_from(int fd) { input_fd_ = fd; }

 private:
  friend class Host;

  void start_more();
  void called(std::uint32_t number, AuthenticatedSocket connection);
  void received(Host& host, control::Message message);
  void hello(Host& host, control::AgentHello const& hello);
  void connectivity_received(Host& host, control::ConnectivityReport report);
  void configure(Host& host);
  void lost(Host& host, std::string const& why);
  void broadcast(Host const& from, control::AddressUpdate const& update);
  void ping();
  void acknowledge(Host& host);
  void ask_for_row(Rank rank);

  Loop& loop_;
  HostsListener& listener_;
  control::HostConfiguration configuration_;
  std::vector<std::string> remote_commands_{};
  Secret secret_ = random_secret();
  Switchboard switchboard_;
  std::vector<std::unique_ptr<Host>> hosts_;
  InputFeed input_;
  RowRequests rows_{[this](Rank rank) { ask_for_row(rank); }};
  int input_fd_ = 0;           ///< their reader's input
  std::uint32_t started_ = 0;  ///< of the launchers
  bool one_by_one_ = false;    ///< each when the one before has done its work
  bool leaving_ = false;
  std::optional<control::ConnectivityReport> own_connectivity_{};  ///< null: the link is chosen
  std::string link_reason_{};
};

}  // namespace earl::exec
