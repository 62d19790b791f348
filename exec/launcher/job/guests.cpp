// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/guests.hpp"

#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "exec/launcher/programs/programs.hpp"
#include "exec/runtime/session_server.hpp"

namespace earl::exec {

namespace {

bool is_this_command(std::string const& path) {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed).string() == path;
}

std::string program_of(pid_t unix_pid) {
  std::error_code failed;
  return std::filesystem::read_symlink(fmt::format("/proc/{}/exe", unix_pid), failed).string();
}

}  // namespace

void Guests::keep(Descriptor listener) {
  listener_ = std::move(listener);
  serving_ = Serving::partition;
  watch();
}

void Guests::hold_session(Descriptor listener) {
  listener_ = std::move(listener);
  serving_ = Serving::session;
}

void Guests::open_console() {
  // A back end that takes no process after its start says so now.
  parts_.back_end->descriptors(Rank{static_cast<std::int32_t>(processes_in(parts_.plan))});
  listener_ = boot::listen_as_session_server(boot::console_name(::getpid()));
  if (!listener_) throw Error("job {} has a console socket already", ::getpid());
}

void Guests::start() {
  if (listener_ && serving_ != Serving::partition) watch();
}

void Guests::watch() {
  parts_.loop.watch(listener_.get(), EPOLLIN, [this](std::uint32_t) { accept_one(); });
}

void Guests::close() {
  if (!listener_) return;
  parts_.loop.remove(listener_.get());
  listener_.close();
}

/// Only this user gets in; any other connection is closed.
void Guests::accept_one() {
  try {
    auto client = boot::accept_client(listener_.get());
    if (client.channel && !parts_.roster.full()) admit(std::move(client.channel), client.unix_pid);
  } catch (Error const& error) {
    parts_.output.report(error.what());
  }
}

void Guests::admit(Descriptor channel, pid_t unix_pid) {
  Descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, unix_pid, 0)));
  if (!handle) return;  // it has ended already
  auto const path = program_of(unix_pid);
  bool const console = is_console(path);
  auto& child = child_for(path, console);
  child.origin = console ? Origin::console : Origin::guest;
  child.path = path;
  child.program = base_name(child.path);
  if (parts_.roster.count() == 1) parts_.roster.set_initial(1);
  parts_.children.set_running(child);
  parts_.roster.set_state(child.rank, RankState::started);
  parts_.roster.set_pid(child.rank, unix_pid);
  watch_process(child, unix_pid, std::move(handle), parts_.loop,
                [this](Child& guest) { ended(guest); });
  auto handed = parts_.back_end->descriptors(child.rank);
  handed.insert(handed.begin(), parts_.roster.descriptor());
  parts_.channels.adopt(
      child, std::move(channel),
      {.rank = child.rank, .back_end = parts_.plan.back_end, .tools = parts_.plan.tools}, handed);
}

/// In a session: the console; in a job: every guest.
bool Guests::is_console(std::string const& path) const {
  if (serving_ == Serving::session) return is_this_command(path);
  return listener_ && serving_ == Serving::job;
}

/// A kept cube's nodes may have named their host before there was one: it gets what waits for it.
Child& Guests::child_for(std::string const& path, bool console) {
  auto& roster = parts_.roster;
  if (console || serving_ == Serving::session)
    return parts_.rows.allocate({.batch = roster.next_batch(), .role = Role::alone});
  auto const host = roster.host_of(1);
  if (serving_ != Serving::partition || is_this_command(path) || host == no_rank ||
      roster.state(host) != RankState::reserved)
    return parts_.rows.allocate({.role = Role::alone});
  roster.set_role(host, Role::alone);
  return parts_.children.at(host);
}

void Guests::close_server() {
  if (serving_ != Serving::job) close();
}

void Guests::close_session() {
  if (serving_ == Serving::session) close();
}

void Guests::disconnect_consoles() {
  close();
  for (auto& [rank, child] : parts_.children.all())
    if (child.alive() && child.is_console()) ended(child);
}

void Guests::detach(Child& child) {
  child.detached = true;
  ended(child);
}

void Guests::ended(Child& child) {
  if (!child.alive()) return;
  parts_.loop.remove(child.registered_handle.get());
  if (serving_ == Serving::job && !child.is_console() && child.detached)
    detached_.emplace_back(::dup(child.channel.get()));
  int const code = child.failure_report ? child.failure_report->exit_code & 0xff : 0;
  parts_.listener.ended(child, child.detached ? code << 8 : SIGKILL);
}

void Guests::end(Child& child, int signal) {
  bool const in_session = serving_ == Serving::session;
  if (in_session && child.is_console()) return;  // goes when the session has ended
  bool present = false;
  for (std::uint32_t n = 0; n <= most_returns; ++n)
    present = present || parts_.services.present(id_after(child.rank, n));
  if (serving_ == Serving::partition || child.is_console() || (in_session && !present))
    ended(child);
  else
    ::syscall(SYS_pidfd_send_signal, child.registered_handle.get(), signal, nullptr, 0);
}

void watch_process(Child& child, pid_t unix_pid, Descriptor handle, Loop& loop,
                   std::function<void(Child&)> on_end) {
  child.pid = unix_pid;
  child.registered_handle = std::move(handle);
  loop.watch(child.registered_handle.get(), EPOLLIN,
             [&child, on_end = std::move(on_end)](std::uint32_t) { on_end(child); });
}

}  // namespace earl::exec
