// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/hosts/hosts.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <utility>

#include "exec/launcher/hosts/launchers.hpp"
#include "exec/launcher/hosts/listening.hpp"
#include "exec/launcher/plan.hpp"
#include "generic/base/id_table.hpp"
#include "generic/base/words.hpp"
#include "generic/system/installed_files.hpp"
#include "generic/system/pipe.hpp"

namespace earl::exec {

namespace {

constexpr auto between_pings = std::chrono::milliseconds{150};
/// For the launcher of a host that is gone: it may wait for that host much longer than EXEC.
constexpr auto disconnect_delay = std::chrono::milliseconds{50};

/// In the child: `command` with `line` on standard input; its output goes where EXEC reports
/// errors.
[[noreturn]] void become(pid_t parent, int line, std::vector<char*> const& command) {
  prepare_for_command(parent);
  if (::dup2(line, STDIN_FILENO) < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) ::_exit(127);
  ::execvp(command[0], command.data());
  ::_exit(127);
}

/// Starts a launcher that finds `line` on its standard input.
pid_t start_launcher(std::vector<std::string> const& command, std::string const& line) {
  auto const pipe = make_pipe("for a launcher");
  auto const arguments = pointers_to(command);
  auto const parent = ::getpid();
  auto const pid = ::fork();
  if (pid == 0) become(parent, pipe.read.get(), arguments);
  if (pid < 0) throw Error(Fault::full, "no process for a launcher: {}", system_message(errno));
  if (::write(pipe.write.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    throw Error("the launcher's standard input: {}", system_message(errno));
  return pid;
}

std::string how(int wait_status) {
  return WIFSIGNALED(wait_status) ? fmt::format("was killed by signal {}", WTERMSIG(wait_status))
                                  : fmt::format("ended with code {}", WEXITSTATUS(wait_status));
}

}  // namespace

void Host::pass(Rank rank, control::Type type, std::uint32_t ticket, std::uint32_t operation,
                Bytes body) {
  if (!line_) return;
  line_->send(control::Type::passed,
              control::RankMessage{.rank = rank,
                                   .message = {.type = type,
                                               .ticket = ticket,
                                               .operation = operation,
                                               .body = Buffer(Gather{body})}});
}

void Host::signal(Rank rank, int number) {
  if (line_) line_->send(control::Type::signal, control::RankValue{.rank = rank, .value = number});
}

void Host::on_host_message(control::Message message) { hosts_.received(*this, std::move(message)); }

void Host::on_line_ended(std::string_view why) {
  hosts_.lost(*this, fmt::format("is gone ({})", why));
}

Hosts::Hosts(Loop& loop, HostsListener& listener, std::vector<RequestedHost> const& requested,
             std::string const& listen, control::HostConfiguration configuration)
    : loop_(loop),
      listener_(listener),
      configuration_(std::move(configuration)),
      switchboard_(loop, secret_, listening_address(listen, requested),
                   [this](std::uint32_t number, AuthenticatedSocket connection) {
                     called(number, std::move(connection));
                   }),
      input_(loop) {
  configuration_.secret = random_secret();
  for (auto const& one : requested)
    hosts_.push_back(std::make_unique<Host>(*this, count(), one.name));
}

void Hosts::start(std::string const& launcher, std::vector<std::string> const& agent) {
  for (auto const& host : hosts_) {
    host->command_ =
        is_this_host(host->name_) ? agent : launch_command(launcher, host->name_, agent);
    auto const& first = host->command_.front();
    if (first.find('/') == std::string::npos && find_command(first).empty())
      throw UsageError("--launcher {}: there is no such command here; {}", first,
                       first == "ssh" ? "apt-get install openssh-client" : "name another one");
  }
  one_by_one_ = hosts_.size() > 1 && starts_one_host_at_a_time(launcher);
  start_more();
  ping();
}

void Hosts::start_more() {
  auto const awaited = [](auto const& host) { return host->launcher_ != 0 && !host->line_; };
  while (started_ < count() && !(one_by_one_ && std::ranges::any_of(hosts_, awaited))) {
    auto& host = *hosts_[started_++];
    host.launcher_ =
        start_launcher(host.command_, line_of({.number = host.number_,
                                               .name = host.name_,
                                               .secret = secret_,
                                               .addresses = switchboard_.addresses()}));
  }
}

/// Has the system find out which hosts are still there.
void Hosts::ping() {
  bool const reads = listener_.on_output({.rank = no_rank, .text = {}});
  for (auto const& host : hosts_) {
    if (host->line_) host->line_->ping();
    if (host->unacknowledged_ != 0 && reads) acknowledge(*host);
  }
  loop_.after(between_pings, [this] { ping(); });
}

/// Its output has been taken over: it may go on.
void Hosts::acknowledge(Host& host) {
  auto const size = std::exchange(host.unacknowledged_, 0);
  if (host.line_)
    host.line_->send(control::Type::took, control::RankValue{.rank = {}, .value = size});
}

bool Hosts::ready() const {
  return std::ranges::all_of(hosts_, [](auto const& host) { return host->configured(); });
}

std::string Hosts::missing() const {
  std::string names;
  for (auto const& host : hosts_)
    if (!host->configured()) names += (names.empty() ? "" : ", ") + host->name_;
  return names;
}

void Hosts::look_at_launchers() {
  for (auto const& host : hosts_) {
    if (host->launcher_ == 0) continue;
    int status = 0;
    if (::waitpid(host->launcher_, &status, WNOHANG) != host->launcher_) continue;
    host->launcher_ = 0;
    if (!host->line_)
      lost(*host,
           fmt::format("cannot be reached: `{}` {}", fmt::join(host->command_, " "), how(status)));
  }
}

void Hosts::called(std::uint32_t number, AuthenticatedSocket connection) {
  if (number >= count() || hosts_[number]->line_ || leaving_) return;
  auto& host = *hosts_[number];
  LineListener& listener = host;
  host.line_ = std::make_unique<HostLine>(loop_, std::move(connection), listener);
  if (!own_connectivity_) configure(host);
  start_more();
}

void Hosts::configure(Host& host) {
  auto configuration = configuration_;
  configuration.number = host.number_;
  configuration.remote_command = remote_commands_[host.number_];
  host.line_->send(control::Type::host, configuration);
  host.configured_ = true;
}

void Hosts::find_link() {
  auto here = connectivity_here(configuration_.encrypted);
  auto const link = requested_link(here);
  configuration_.link = link.back_end;
  link_reason_ = link.why;
  if (link.back_end.empty()) own_connectivity_ = std::move(here);
}

/// When the last has reported it is chosen.
void Hosts::connectivity_received(Host& host, control::ConnectivityReport report) {
  host.connectivity_ = std::move(report);
  if (!own_connectivity_ || leaving_) return;
  std::vector<HostConnectivity> all;
  for (auto const& one : hosts_)
    if (one->reached() && one->connectivity_) all.push_back({one->name_, *one->connectivity_});
  if (all.size() != hosts_.size()) return;
  auto const best = best_link(*std::exchange(own_connectivity_, std::nullopt), all);
  if (best.back_end.empty()) return lost(host, "has no back end that joins it to the others");
  configuration_.link = best.back_end;
  link_reason_ = best.why;
  for (auto const& one : hosts_) configure(*one);
}

void Hosts::hello(Host& host, control::AgentHello const& hello) {
  if (hello.packets != packet_version)
    return lost(host, fmt::format("has another version of Earl: its packets are {}, here {}",
                                  hello.packets, packet_version));
  host.facts_ = hello.facts;
}

void Hosts::lost(Host& host, std::string const& why) {
  if (host.lost_ || leaving_) return;
  host.lost_ = true;
  if (host.line_) host.line_->close();
  listener_.on_host_lost(host.number_, fmt::format("host {} {}", host.name_, why));
}

void Hosts::received(Host& host, control::Message message) {
  auto const body = message.body.bytes();
  switch (message.type) {
    case control::Type::hello:
      return hello(host, control::read<control::AgentHello>(body));
    case control::Type::connectivity:
      return connectivity_received(host, control::read<control::ConnectivityReport>(body));
    case control::Type::address:
      return broadcast(host, control::read<control::AddressUpdate>(body));
    case control::Type::passed: {
      auto passed = control::read<control::RankMessage>(body);
      return listener_.on_rank_message(passed.rank, std::move(passed.message));
    }
    case control::Type::printed: {
      auto const text = control::read<control::Printed>(body);
      host.unacknowledged_ += static_cast<std::int32_t>(text.text.size());
      if (listener_.on_output(text)) acknowledge(host);
      return;
    }
    case control::Type::took:
      return input_.took(static_cast<std::size_t>(control::read<control::RankValue>(body).value));
    case control::Type::departed: {
      auto const status = control::read<control::RankValue>(body);
      return listener_.on_process_ended(status.rank, status.value);
    }
    case control::Type::started:
      return listener_.on_process_started(control::read<control::RankValue>(body).rank);
    case control::Type::refused: {
      auto const refusal = control::read<control::LaunchRefusal>(body);
      if (refusal.rank == no_rank)
        return lost(host, fmt::format("cannot do its part: {}", refusal.sentence));
      return listener_.on_start_refused(refusal.rank, refusal.error,
                                        fmt::format("host {}: {}", host.name_, refusal.sentence));
    }
    case control::Type::ready:
      host.reuses_ = control::read<control::RankValue>(body).value != 0;
      return;
    case control::Type::released:
      return rows_.answered(control::read<control::RankValue>(body).rank);
    case control::Type::piece:
      return listener_.on_file_piece(control::read<control::TracePieces>(body));
    case control::Type::ping:
      return;
    default:
      throw Error("an agent sent a message type reserved for EXEC");
  }
}

/// The others must know where a process can be reached.
void Hosts::broadcast(Host const& from, control::AddressUpdate const& update) {
  for (auto const& host : hosts_)
    if (host.get() != &from && host->line_) host->line_->send(control::Type::address, update);
}

void Hosts::table_changed(std::uint32_t at, Bytes bytes) {
  const control::TableUpdate update{
      .at = at, .bytes = {reinterpret_cast<char const*>(bytes.data()), bytes.size()}};
  for (auto const& host : hosts_)
    if (host->configured()) host->line_->send(control::Type::rows, update);
}

RankChannel& Hosts::launch(std::uint32_t number, control::ProgramDescription const& program,
                           control::LaunchRequest const& request) {
  auto& host = *hosts_[number];
  if (!host.line_) return host;
  if (host.program_ != program) {
    host.program_ = program;
    host.line_->send(control::Type::program, program);
  }
  host.line_->send(control::Type::launch, request);
  if (request.reads)
    input_.begin(input_fd_,
                 [&host](Bytes piece) { host.line_->send(control::Type::input, piece); });
  return host;
}

bool Hosts::reuse_rows() const {
  return std::ranges::all_of(hosts_, [](auto const& host) { return host->reuses_; });
}

void Hosts::ask_for_row(Rank rank) {
  for (auto const& host : hosts_)
    if (host->line_) host->line_->send(control::Type::release, control::RankValue{.rank = rank});
}

void Hosts::signal_all(int number) {
  for (auto const& host : hosts_) host->signal(no_rank, number);
}

void Hosts::hang_up() {
  leaving_ = true;
  input_.end();
  for (auto const& host : hosts_)
    if (host->line_)
      host->line_->hang_up();
    else if (host->launcher_ != 0)
      ::kill(host->launcher_, SIGTERM);  // its agent is not needed any more
  loop_.after(disconnect_delay, [this] {
    for (auto const& host : hosts_)
      if (host->lost_ && host->launcher_ != 0) ::kill(host->launcher_, SIGTERM);
  });
}

bool Hosts::gone() const {
  return std::ranges::all_of(hosts_, [](auto const& host) {
    return (!host->line_ || !host->line_->open()) && host->launcher_ == 0;
  });
}

}  // namespace earl::exec
