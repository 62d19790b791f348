// SPDX-License-Identifier: BSD-3-Clause
/// Processes that a process of the job has forked and wants to be of it, too (NX nx_nfork).
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

#include "exec/launcher/job/job.hpp"
#include "generic/system/process_stat.hpp"

namespace earl::exec {

namespace {

constexpr int exit_code_field = 52;  ///< of /proc/PID/stat

/// How it has ended, of which its parent may have taken the last trace: then it is the parent's
/// to judge, and counts as a normal end.
int end_of(Child const& child) {
  if (child.left) return child.wait_status;
  if (auto const adopted = wait_status_of(child.pid)) return *adopted;
  return std::atoi(stat_field(child.pid, exit_code_field).value_or("0").c_str());
}

}  // namespace

LoadAnswer Job::adopt(Child& parent, AdoptRequest const& request) {
  auto line = std::move(parent.enclosed);
  auto const places = partitions_->places(request.where);
  if (places.size() != 1 || request.where.place == any_place || request.where.label < 0)
    return {.fault = LoadFault::unknown};
  if (taken(request.where)) return {.fault = LoadFault::in_use};
  LoadAnswer answer;
  try {
    auto& child = take_in_forked(parent, request, std::move(line));
    answer.started.ranks = {child.rank};
  } catch (Refusal const& refusal) {
    answer.fault = LoadFault::not_started;
    answer.started.fault = refusal.spawn_fault();
    answer.started.why = refusal.what();
  }
  return answer;
}

/// Throws Refusal.
Child& Job::take_in_forked(Child const& parent, AdoptRequest const& request, Descriptor channel) {
  if (ending_ != 0) throw Refusal(1, SpawnFault::denied, "the job is ending");
  check_room();
  Descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, request.unix_pid, 0)));
  bool const own = parent_of(request.unix_pid) == parent.registered_pid;
  if (housing_ || parent.elsewhere || !channel || !handle || !own)
    throw Refusal(1, SpawnFault::foreign,
                  fmt::format("{} is no forked child of {}", request.unix_pid, describe(parent)));
  auto& child = seat(request.where, {.program = parent.program,
                                     .front_end = parent.front_end,
                                     .parent = parent.rank,
                                     .batch = ++batches_});
  child.forked = true;
  child.program = parent.program;
  child.path = parent.path;
  child.front_end = parent.front_end;
  child.folder = parent.folder;
  child.outlets = parent.outlets;
  child.writer = parent.writer;  // its output goes where the parent's goes
  waits_.expect(child.rank);
  connect(child, request.unix_pid, std::move(handle));
  by_pid_[child.pid] = child.rank;  // a child of EXEC's once its parent has ended
  try {
    channels_.adopt(
        child, std::move(channel),
        {.rank = child.rank, .back_end = plan_.back_end, .tools = plan_.tools, .group = group_},
        handed_to(child));
  } catch (Error const& error) {
    forked_ended(child);
    throw Refusal(1, SpawnFault::no_room, error.what());
  }
  return child;
}

void Job::forked_ended(Child& child) {
  if (!child.alive) return;
  loop_.forget(child.registered_handle.get());
  channels_.drain(child);  // it may say there how it ends
  died(child, end_of(child));
}

}  // namespace earl::exec
