// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/process_ends.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include "exec/launcher/children/child_end.hpp"

namespace earl::exec {

namespace {

/// SIGCHLD says that a process ended; one signal may stand for several, so look at all soon after.
constexpr auto look_delay = std::chrono::milliseconds{10};

}  // namespace

void ProcessEnds::signalled(pid_t pid) {
  parts_.remote.look_at_launchers();
  auto* const child = parts_.children.of_pid(pid);
  if (parts_.shared && pid == parts_.shared->pid())
    parts_.shared->check();
  else if (child)
    check(*child);
  else if (!parts_.group.is_helper(pid))
    ::waitpid(pid, nullptr, WNOHANG);  // a child that a process left behind
  if (!look_due_) parts_.loop.after(look_delay, [this] { look_at_all(); });
  look_due_ = true;
}

void ProcessEnds::look_at_all() {
  look_due_ = false;
  parts_.remote.look_at_launchers();
  for (auto& [rank, child] : parts_.children.all())
    if (child.alive()) check(child);
}

void ProcessEnds::check(Child& child) {
  if (!child.alive() || child.origin != Origin::started) return;
  if (child.rank_channel) return parts_.shared->check();
  if (auto const status = wait_status_of(child.pid)) ended(child, *status);
}

void ProcessEnds::left(Child& child, int exit_code) {
  if (child.alive()) child.phase = Phase::left;
  child.wait_status = (exit_code & 0xff) << 8;
  queue_death(child);
  if (child.failure_report) parts_.failures.judge(child);
  parts_.gate.run();
}

void ProcessEnds::queue_death(Child& child) {
  child.death = Announcement::queued;
  parts_.gate.add(RequestGate::Death{.rank = child.rank, .wait_status = child.wait_status});
}

void ProcessEnds::ended(Child& child, int wait_status) {
  parts_.children.set_ended(child);
  child.wait_status = wait_status;
  parts_.monitor.ended();
  // Packets that it sent last count.
  parts_.channels.drain(child);
  parts_.output.drain(child.writer);
  report_to_back_end(child);
  parts_.roster.set_state(child.rank, RankState::ended);
  if (child.death == Announcement::none) queue_death(child);
  parts_.channels.close(child);
  judge(child);
  child.outlets.reset();  // their reader waits for their end
  child.catcher.reset();
  zombies_.limit();
  parts_.gate.run();
}

/// A process that EXEC or another process of the job has ended has not failed.
void ProcessEnds::report_to_back_end(Child const& child) {
  bool const requested = killed_on_request(child);
  if (requested)
    parts_.back_end->killed(child.rank);
  else
    parts_.back_end->ended(child.rank);
  if (parts_.plan.user_launcher)
    parts_.plan.user_launcher->ended(
        child.rank, parts_.shutdown.begun() || requested ? 0 : exit_code_of(child));
}

void ProcessEnds::judge(Child& child) {
  if (child.is_console() || child.start_refused) return;
  if (child.pid != parts_.group.id() && !child.is_guest() && !child.rank_channel)
    zombies_.add(child);
  if (ended_as_recorded(child) && cut_records_++ == 0) first_cut_ = child.failure_report->sentence;
  parts_.failures.judge(child);
  if (parts_.children.members() != 0) return;
  for (auto const rank : parts_.failures.take_held_back())
    if (auto* const ended = parts_.children.find(rank)) parts_.failures.judge(*ended);
}

/// A farm may have killed its tasks by the thousand.
void ProcessEnds::report_cut_records() const {
  if (cut_records_ == 0) return;
  parts_.output.report(cut_records_ == 1
                           ? first_cut_
                           : fmt::format("{}; {} more {} before {}", first_cut_, cut_records_ - 1,
                                         cut_records_ == 2 ? "record ends" : "records end",
                                         cut_records_ == 2 ? "its program" : "their programs"));
}

}  // namespace earl::exec
