// SPDX-License-Identifier: BSD-3-Clause
/// Ranks that live in one process (generic/seams/shared_process.hpp): how the job starts and serves
/// them.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "exec/launcher/children/debugger.hpp"
#include "exec/launcher/job/job.hpp"
#include "exec/launcher/settings/environment.hpp"

namespace earl::exec {

namespace {

Descriptor copy_of(int fd) {
  Descriptor copy(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
  if (!copy)
    throw Error(Fault::full, "no descriptor for one more process: {}", system_message(errno));
  return copy;
}

}  // namespace

bool Job::shared_process_has_terminal() const { return terminal_ && (plan_.reader || plan_.gdb); }

/// The shared process itself writes where EXEC does, and only when something is wrong with it.
Launched Job::open_shared_process() {
  std::vector<Descriptor> handed;
  handed.push_back(copy_of(roster_->descriptor()));
  handed.push_back(output_.share());
  for (int const fd : prepared_->descriptors(Rank{})) handed.push_back(copy_of(fd));
  auto const line = housing_->open({.back_end = plan_.back_end, .tools = plan_.tools}, handed);
  auto environment = job_environment(base_environment(plan_));
  set(environment, fmt::format("EARL_STACK={}", plan_.stack));
  set(environment, fmt::format("EARL_SEED={}", plan_.seed));
  set(environment, fmt::format("EARL_TIME={}", plan_.virtual_time ? "virtual" : "real"));
  auto const group = shared_process_has_terminal() ? own_group : group_;
  std::vector<std::string> command{layout_.commands + "/earl", "shared-process", plan_.back_end};
  if (plan_.gdb) command = under_gdb(std::move(command), plan_.back_end);
  auto const launched = launch({.path = command.front(),
                                .arguments = command,
                                .environment = std::move(environment),
                                .folder = {},
                                .in = STDIN_FILENO,
                                .out = STDOUT_FILENO,
                                .error = STDERR_FILENO,
                                .control = line.get(),
                                .control_number = control_number_.get(),
                                .group = group},
                               inherited_);
  if (launched.error == 0) housing_->set_pid(launched.pid);
  if (group == new_group) group_ = launched.pid;
  return launched;
}

/// Not on the line that EXEC takes whole lines from.
bool Job::prints_itself(Child const& child) const {
  return !child.catcher && !child.told && (child.outlets || !plan_.output_folder.empty());
}

std::vector<Descriptor> Job::descriptors_of(Child const& child) const {
  std::vector<Descriptor> list;
  if (child.outlets && prints_itself(child)) {
    for (auto const& outlet : *child.outlets) list.push_back(copy_of(outlet.get()));
  } else if (prints_itself(child)) {
    list.push_back(way_out(child, "out").write);
    list.push_back(way_out(child, "err").write);
  }
  if (child.rank == plan_.reader) list.push_back(copy_of(input_fd()));
  return list;
}

/// Throws Refusal when the program's file cannot live there.
Launched Job::shared_process_child(Child& child, Batch const& batch) {
  if (batch.program.front_end.empty() && !batch.program.of_the_core)
    throw Refusal(exit_refused, SpawnFault::foreign,
                  fmt::format("{} is a script or no program of Earl's, and {} runs programs "
                              "themselves only: name the "
                              "program, or use --on shm",
                              batch.program.path, plan_.back_end));
  if (!housing_->opened())
    if (auto launched = open_shared_process(); launched.error != 0) return launched;
  // A rank is known by a front end from the start; here there is none that could say its name.
  if (child.front_end.empty()) child.front_end = "core";
  housing_->take_in(
      {.path = batch.program.path,
       .front_end = child.front_end,
       .arguments = batch.arguments,
       .environment = batch.environment,
       .folder = batch.folder,
       .wrappers = plan_.wrappers},
      {.rank = child.rank, .prints = prints_itself(child), .reads = child.rank == plan_.reader},
      descriptors_of(child));
  child.rank_channel = housing_.get();
  child.in_own_group = shared_process_has_terminal();
  child.writer = writer_of(child.rank);
  if (child.catcher)
    output_.add(child.rank, caught_output(child));
  else if (!prints_itself(child))
    output_.add(child.rank, stream_of(child, batch), prefix_of(child, batch));
  tell_of(child, batch, child.writer);
  return {.pid = housing_->pid(), .error = 0};
}

/// Its awaited message must come, also when its requests must wait.
void Job::rank_said(Rank rank, control::Message message) {
  auto* const child = roster_->has(rank) ? &child_at(rank) : nullptr;
  if (child && child->alive && child->rank_channel && !child->distrusted)
    channels_.take(*child, std::move(message));
  else if (housing_)
    housing_->heard();
}

void Job::departed(Rank rank, int wait_status) {
  if (!roster_->has(rank)) return;
  auto& child = child_at(rank);
  if (child.alive && child.rank_channel) died(child, wait_status);
  if (housing_) housing_->heard();
}

/// A rank that is asked answers and waits again, so that the shared process is stuck once more: two
/// rounds, and quiescence is detected, at once and in every run alike.
void Job::shared_process_stuck() {
  if (held_off_ || !has_judge() || session_server_ || ending_ != 0) return;
  if (!quiescence_.awaited() && !quiescence_.stands_still()) detector();
}

/// A rank that waits for something else than the time may wait in vain.
void Job::shared_process_sleeps() {
  if (has_judge() && !session_server_ && !listener_) find_deadlock_cycles();
}

/// No rank is left: the shared process ends, and gdb gives the terminal back.
void Job::wait_for_gdb() {
  if (!housing_ || housing_->pid() == 0) return;
  housing_->dismiss();
  while (!wait_status_of(housing_->pid())) loop_.turn();
}

/// If the shared process itself has ended, so have all its ranks.
void Job::look_at_shared_process() {
  auto const status = wait_status_of(housing_->pid());
  if (!status) return;
  housing_->drain();
  housing_->close();
  for (auto const& [rank, child] : children_)
    if (child->alive && child->rank_channel) died(*child, *status);
}

}  // namespace earl::exec
