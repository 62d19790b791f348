// SPDX-License-Identifier: BSD-3-Clause
/// The ends of processes on this host; none is left.
#include <sys/wait.h>

#include <csignal>
#include <vector>

#include "exec/launcher/agent/agent.hpp"

namespace earl::exec {

namespace {

/// One SIGCHLD may stand for several.
constexpr auto scan_delay = std::chrono::milliseconds{10};
constexpr auto end_timeout = std::chrono::seconds{2};

}  // namespace

void Agent::handle_signal(SignalEvent const& signal) {
  if (signal.number == SIGTERM) over_ = true;
  if (signal.number != SIGCHLD) return;  // the terminal's, which EXEC gets, too
  if (!by_pid_.contains(signal.sender) && signal.sender != watchdog_)
    ::waitpid(signal.sender, nullptr, WNOHANG);  // a child that a process left behind
  look_at_all();
  if (!scan_due_)
    loop_.after(scan_delay, [this] {
      scan_due_ = false;
      look_at_all();
    });
  scan_due_ = true;
}

void Agent::look_at_all() {
  for (auto& [pid, child] : by_pid_)
    if (child->alive())
      if (auto const status = wait_status_of(pid)) died(*child, *status);
}

/// Zombies stay, so that no memory is read by a pid that has become another's.
void Agent::died(Child& child, int wait_status) {
  child.phase = Phase::ended;
  channels_.drain(child);
  outlets_.drain(child.rank);
  collectors_.report(child.rank);
  bool const killed = WIFSIGNALED(wait_status) && WTERMSIG(wait_status) < 64 &&
                      (child.asked_signals >> WTERMSIG(wait_status) & 1) != 0;
  back_ends_->ended_here(child.rank, killed);
  line_.send(control::Type::departed, control::RankValue{.rank = child.rank, .value = wait_status});
  channels_.close(child);
}

/// One that never started has no pid.
void Agent::released(Rank rank) {
  if (auto const found = children_.find(number(rank)); found != children_.end()) {
    auto const pid = found->second->pid;
    if (by_pid_.erase(pid) != 0) ::waitpid(pid, nullptr, WNOHANG);
    children_.erase(found);
  }
  line_.send(control::Type::released, control::RankValue{.rank = rank});
}

/// Waits for their end, but not for ever. The watchdog is ended last: EXEC may end this process
/// meanwhile, and then the watchdog removes the folder.
void Agent::remove_processes() {
  auto const deadline = Clock::now() + end_timeout;
  for (;;) {
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    auto left = own_children();
    std::erase(left, watchdog_);
    if (left.empty()) break;
    if (Clock::now() > deadline) return;
    for (auto const pid : left) ::kill(pid, SIGKILL);
    loop_.after(std::chrono::milliseconds{2}, [] {});
    loop_.turn();
  }
  collectors_.remove_folder();
  if (watchdog_ > 0) ::kill(watchdog_, SIGKILL);
}

}  // namespace earl::exec
