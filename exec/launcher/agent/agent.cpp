// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/agent/agent.hpp"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "exec/launcher/children/cleanup_watchdog.hpp"
#include "exec/launcher/children/mark.hpp"
#include "exec/launcher/hosts/host_facts.hpp"
#include "exec/launcher/hosts/link_choice.hpp"
#include "exec/launcher/output/rank_files.hpp"

namespace earl::exec {

namespace {

constexpr auto ping_interval = std::chrono::milliseconds{150};
/// Before the back end is blamed: it may have ended because of a process, here or on another host.
constexpr auto time_before_blame = std::chrono::milliseconds{500};
constexpr std::size_t most_backlog = 64;  ///< packets

/// The name of this job's agent on this host.
std::string folder_of_mark(std::string_view mark) {
  std::error_code failed;
  auto const temporary = std::filesystem::temp_directory_path(failed);
  return fmt::format("{}/earl-{}", failed ? "/tmp" : temporary.string(), mark);
}

rlimit raise_file_limit() {
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  rlimit const raised{.rlim_cur = before.rlim_max, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &raised);
  return before;
}

}  // namespace

Agent::Agent(AuthenticatedSocket to_exec)
    : signals_(loop_, [this](SignalEvent const& signal) { handle_signal(signal); }),
      line_(loop_, std::move(to_exec), *this),
      channels_(loop_, *this),
      outlets_(loop_, line_),
      null_(::open("/dev/null", O_RDONLY | O_CLOEXEC)),
      control_number_(keep_control_number(null_)),
      mark_(new_mark()),
      collectors_(line_, folder_of_mark(mark_)) {
  inherited_ = {
      .mask = signals_.mask_before(), .files = raise_file_limit(), .mark = limit_of(mark_)};
  ::signal(SIGPIPE, SIG_IGN);
  // Orphans of a process become this process's children.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  watchdog_ = group_ = start_cleanup_watchdog(mark_, folder_of_mark(mark_));
  // Processes that a back end starts here must end with this process, too.
  auto const mark = assignment_of(mark_);
  auto const name = mark.substr(0, mark.find('='));
  ::setenv(name.c_str(), mark.c_str() + name.size() + 1, 1);
}

Agent::~Agent() {
  for (auto const& [rank, child] : children_) channels_.close(*child);
}

void Agent::run() {
  line_.send(control::Type::hello, control::AgentHello{.facts = facts_of_this_host()});
  report_connectivity();
  ping();
  while (!over_) loop_.turn();
  remove_processes();
}

void Agent::report_connectivity() {
  try {
    line_.send(control::Type::connectivity, connectivity_here());
  } catch (Error const& error) {
    give_up(error);
  }
}

/// Has the system find out whether EXEC's host is still there.
void Agent::ping() {
  line_.ping();
  report();
  loop_.after(ping_interval, [this] { ping(); });
}

/// Debuggers' pieces are sent to EXEC in time: this host may fail.
void Agent::report() {
  if (!collectors_.any() || line_.backlog() > most_backlog) return;
  for (auto const& [rank, child] : children_)
    if (child->alive()) collectors_.report(child->rank);
}

void Agent::on_line_ended(std::string_view) { over_ = true; }

void Agent::on_host_message(control::Message message) {
  try {
    follow(std::move(message));
  } catch (Error const& error) {
    give_up(error);
  }
}

/// Reports the reason to EXEC.
void Agent::give_up(Error const& error) {
  line_.send(control::Type::refused,
             control::LaunchRefusal{.rank = no_rank, .error = 0, .sentence = error.what()});
  line_.hang_up();
  over_ = true;
}

void Agent::follow(control::Message message) {
  auto const body = message.body.bytes();
  if (message.type != control::Type::host && message.type != control::Type::ping && !configuration_)
    throw Error("an order before the host configuration");
  switch (message.type) {
    case control::Type::host:
      return configure(control::read<control::HostConfiguration>(body));
    case control::Type::rows:
      return table_changed(control::read<control::TableUpdate>(body));
    case control::Type::address: {
      auto const update = control::read<control::AddressUpdate>(body);
      return back_ends_->add_address(update.rank, update.address);
    }
    case control::Type::program:
      program_ = control::read<control::ProgramDescription>(body);
      return;
    case control::Type::launch:
      return start(control::read<control::LaunchRequest>(body));
    case control::Type::passed:
      return passed(control::read<control::RankMessage>(body));
    case control::Type::signal:
      return signal(control::read<control::RankValue>(body));
    case control::Type::release:
      return release(control::read<control::RankValue>(body).rank);
    case control::Type::input:
      return outlets_.feed(body);
    case control::Type::took:
      return outlets_.taken(
          static_cast<std::size_t>(control::read<control::RankValue>(body).value));
    case control::Type::ping:
      return;
    default:
      throw Error("an unknown order to an agent");
  }
}

void Agent::configure(control::HostConfiguration configuration) {
  if (configuration_) throw Error("a second host configuration");
  if (configuration.packets != packet_version)
    throw Error("EXEC is of another version of Earl: its packets are {}, here {}",
                configuration.packets, packet_version);
  binding_ = binding_of_host(configuration.binding);
  roster_ = std::make_unique<Roster>(configuration.capacity);
  back_ends_ = std::make_unique<AgentBackEnds>(configuration, line_);
  RowReleases::Client& client = *this;
  releases_.emplace(loop_, *back_ends_, client);
  line_.send(control::Type::ready,
             control::RankValue{.rank = no_rank, .value = back_ends_->reuses() ? 1 : 0});
  watch_back_ends();
  if (!configuration.output_folder.empty()) make_output_folder(configuration.output_folder);
  configuration.tools = collectors_.prepare(std::move(configuration.tools));
  configuration_ = std::move(configuration);
}

void Agent::watch_back_ends() {
  if (back_ends_->wait_fd() < 0) return;
  loop_.watch(back_ends_->wait_fd(), EPOLLIN, [this](std::uint32_t) {
    try {
      back_ends_->handle_event();
    } catch (Error const& error) {
      loop_.remove(back_ends_->wait_fd());
      loop_.after(time_before_blame, [this, error] { give_up(error); });
    }
  });
}

/// Lets the back ends here know of new processes, and of ends elsewhere.
void Agent::table_changed(control::TableUpdate const& update) {
  auto const copied = roster_->copy_in(update.at, std::as_bytes(std::span{update.bytes}));
  if (!copied) return;
  auto const rank = copied->rank;
  if (copied->first) back_ends_->named(rank);
  if (roster_->state(rank) == RankState::ended && roster_->at(rank).host != configuration_->number)
    back_ends_->ended_elsewhere(rank);
}

void Agent::release(Rank rank) {
  if (rank == no_rank) return releases_->wake_peers_for_release();
  if (!roster_->has(rank) || roster_->lives(rank))
    throw Error("cannot release rank {}: it is still running", number(rank));
  releases_->add(rank);
}

/// The kernel, not the packet, gives its pid.
bool Agent::on_message(Child& child, control::Message& message) {
  if (message.type == control::Type::hello) {
    auto hello = control::read<control::Hello>(message.body.bytes());
    hello.unix_pid = child.speaker != 0 ? child.speaker : child.pid;
    child.registered_pid = hello.unix_pid;
    message.body = control::body_of(hello);
    back_ends_->registered(child.rank, hello.unix_pid);
    line_.send(
        control::Type::address,
        control::AddressUpdate{.rank = child.rank, .address = back_ends_->address(child.rank)});
  }
  line_.send(control::Type::passed,
             control::RankMessage{.rank = child.rank, .message = std::move(message)});
  return true;
}

/// EXEC notices it by the received bytes: malformed ones end the process.
void Agent::on_protocol_error(Child& child, std::string_view why) {
  line_.send(
      control::Type::printed,
      control::Printed{.rank = child.rank,
                       .stream = STDERR_FILENO,
                       .text = fmt::format("earl: rank {} wrote {} into its control channel\n",
                                           number(child.rank), why)});
  if (child.alive()) ::kill(child.pid, SIGKILL);
}

void Agent::passed(control::RankMessage passed) {
  auto const found = children_.find(number(passed.rank));
  if (found == children_.end()) return;
  auto const& [type, ticket, operation, body] = passed.message;
  channels_.send(*found->second, type, ticket, operation, body.bytes());
}

void Agent::signal(control::RankValue const& word) {
  if (word.rank == no_rank) {
    if (group_ <= 0) return;
    ::kill(-group_, word.value);
    ::kill(-group_, word.value == SIGSTOP ? 0 : SIGCONT);  // a stopped one handles no other signal
    return;
  }
  auto const found = children_.find(number(word.rank));
  if (found == children_.end() || !found->second->alive()) return;
  auto& child = *found->second;
  if (word.value > 0 && word.value < 64) child.asked_signals |= std::uint64_t{1} << word.value;
  ::kill(child.registered_pid != 0 ? child.registered_pid : child.pid, word.value);
}

}  // namespace earl::exec
