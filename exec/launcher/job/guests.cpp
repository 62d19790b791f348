// SPDX-License-Identifier: BSD-3-Clause
/// Processes that EXEC has not started: a bare host, and the consoles of a session server.
#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "exec/launcher/job/job.hpp"
#include "exec/runtime/session_server.hpp"

namespace earl::exec {

namespace {

bool is_this_command(std::string const& path) {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed).string() == path;
}

}  // namespace

void Job::admit(Descriptor channel, pid_t unix_pid) {
  Descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, unix_pid, 0)));
  if (!handle) return;  // it has ended already
  std::error_code failed;
  auto const path = std::filesystem::read_symlink(fmt::format("/proc/{}/exe", unix_pid), failed);
  bool const console = is_console(path.string());
  auto& child = console || session_ ? add_child({.batch = ++batches_, .role = Role::alone})
                                    : guest_for(path.string());
  child.guest = true;
  child.path = path.string();
  child.program = base_name(child.path);
  child.console = console;
  if (console) ++consoles_;
  if (roster_->count() == 1) roster_->set_initial(1);
  connect(child, unix_pid, std::move(handle));
  channels_.adopt(child, std::move(channel),
                  {.rank = child.rank, .back_end = plan_.back_end, .tools = plan_.tools},
                  handed_to(child));
}

/// For a job that keeps nothing all guests, for a session its consoles.
bool Job::is_console(std::string const& path) const {
  if (session_) return is_this_command(path);
  return listener_ && !session_server_;
}

/// It lives, and is no child of EXEC's: its handle reports its end.
void Job::connect(Child& child, pid_t unix_pid, Descriptor handle) {
  child.alive = true;
  child.pid = unix_pid;
  child.registered_handle = std::move(handle);
  ++alive_;
  roster_->set_life(child.rank, Life::started);
  roster_->set_pid(child.rank, unix_pid);
  loop_.watch(child.registered_handle.get(), EPOLLIN, [this, &child](std::uint32_t) {
    child.guest ? guest_ended(child) : forked_ended(child);
  });
}

std::vector<int> Job::handed_to(Child const& child) const {
  auto handed = prepared_->descriptors(child.rank);
  handed.insert(handed.begin(), roster_->descriptor());
  return handed;
}

/// A kept cube's nodes may have named their host before there was one: it gets the waiting
/// messages.
Child& Job::guest_for(std::string const& path) {
  bool const command = is_this_command(path);
  auto const host = roster_->host_of(1);
  if (!session_server_ || command || host == no_rank || roster_->life(host) != Life::reserved)
    return add_child({.role = Role::alone});
  roster_->set_role(host, Role::alone);
  return child_at(host);
}

void Job::keep(Descriptor listener, std::string_view name, std::uint32_t places) {
  listener_ = std::move(listener);
  session_server_ = true;
  partitions_->allocate(no_rank, {.name = std::string{name}, .places = places, .keep = true});
  watch_listener();
}

void Job::hold_session(Descriptor listener) {
  listener_ = std::move(listener);
  session_server_ = session_ = true;
}

void Job::open_console() {
  if (housing_)
    throw UsageError("--console: no console can join a job on {}; --on shm has room for consoles",
                     plan_.back_end);
  // A back end that takes no process after its start says so now.
  prepared_->descriptors(Rank{static_cast<std::int32_t>(processes_in(plan_))});
  listener_ = boot::listen_as_session_server(boot::console_name(::getpid()));
  if (!listener_) throw Error("there is a door for consoles of a job {} already", ::getpid());
}

void Job::watch_listener() {
  loop_.watch(listener_.get(), EPOLLIN, [this](std::uint32_t) { visited(); });
}

/// The job has ended: consoles are notified, and no more are accepted.
void Job::disconnect_consoles() {
  if (listener_) loop_.forget(listener_.get());
  listener_ = {};
  for (auto const& [rank, child] : children_)
    if (child->alive && child->console) guest_ended(*child);
}

/// A program that comes from now on finds no session, and may start another.
void Job::close_door() {
  if (!session_ || !listener_) return;
  loop_.forget(listener_.get());
  listener_ = {};
}

/// EXEC itself was meant: it is known to the members of a session, which ends.
StatusAnswer Job::halt(int signal) {
  if (!session_ || signal != SIGTERM) return {};
  end(0, SIGTERM);  // the caller, too: before it has the answer
  return {.known = true, .alive = true};
}

/// Only this user gets in; any other connection is closed.
void Job::visited() {
  try {
    auto console = boot::accept_client(listener_.get());
    if (console.channel && !roster_->full()) admit(std::move(console.channel), console.unix_pid);
  } catch (Error const& error) {
    say(error.what());
  }
}

void Job::hung_up(Child& child) {
  if (child.guest)
    guest_ended(child);
  else
    look_at(child);
}

/// It waits for its channel to be closed: at once by a session server, else when the job has ended.
void Job::said_goodbye(Child& child) {
  child.farewell = true;
  guest_ended(child);
}

void Job::guest_ended(Child& child) {
  if (!child.alive) return;
  loop_.forget(child.registered_handle.get());
  if (child.console) --consoles_;
  auto line = session_server_ || child.console || !child.farewell
                  ? Descriptor{}
                  : Descriptor(::dup(child.channel.get()));
  farewells_.push_back(std::move(line));
  int const code = child.failure_report ? child.failure_report->exit_code & 0xff : 0;
  died(child, child.farewell ? code << 8 : SIGKILL);
}

/// A bare host is of the job, and a member of a session until it has left; others only lose their
/// line to it.
void Job::end_guest(Child& child, int signal) {
  if (session_ && child.console) return;  // goes when the session has ended
  bool present = false;
  for (std::uint32_t n = 0; n <= most_returns; ++n)
    present = present || named_services_.present(id_after(child.rank, n));
  if ((session_server_ && !session_) || child.console || (session_ && !present))
    guest_ended(child);
  else
    ::syscall(SYS_pidfd_send_signal, child.registered_handle.get(), signal, nullptr, 0);
}

}  // namespace earl::exec
