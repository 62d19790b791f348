// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/forked_processes.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "exec/launcher/children/child_end.hpp"
#include "generic/system/process_stat.hpp"

namespace earl::exec {

namespace {

constexpr int exit_code_field = 52;  ///< of /proc/PID/stat

/// Its wait status. Its parent may have waited for it: then the parent judges its end, which
/// counts as a normal one.
int end_of(Child const& child) {
  if (child.left()) return child.wait_status;
  if (auto const adopted = wait_status_of(child.pid)) return *adopted;
  return std::atoi(stat_field(child.pid, exit_code_field).value_or("0").c_str());
}

}  // namespace

LoadAnswer ForkedProcesses::adopt(Child& parent, AdoptRequest const& request) {
  auto line = std::move(parent.enclosed);
  auto const places = parts_.partitions.places(request.where);
  if (places.size() != 1 || request.where.place == any_place || request.where.label < 0)
    return {.fault = LoadFault::unknown};
  if (parts_.partition_service.taken(request.where)) return {.fault = LoadFault::in_use};
  LoadAnswer answer;
  try {
    auto& child = adopt(parent, request, std::move(line));
    answer.started.ranks = {child.rank};
  } catch (Refusal const& refusal) {
    answer.fault = LoadFault::not_started;
    answer.started.fault = refusal.spawn_fault();
    answer.started.why = refusal.what();
  }
  return answer;
}

/// Throws Refusal.
Child& ForkedProcesses::adopt(Child const& parent, AdoptRequest const& request,
                              Descriptor channel) {
  if (parts_.shutdown.begun()) throw Refusal(1, SpawnFault::denied, "the job is ending");
  parts_.processes.check_room();
  Descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, request.unix_pid, 0)));
  bool const own = parent_of(request.unix_pid) == parent.registered_pid;
  if (parts_.shared_process || parent.is_remote() || !channel || !handle || !own)
    throw Refusal(1, SpawnFault::foreign,
                  fmt::format("{} is no forked child of {}", request.unix_pid, describe(parent)));
  auto& child =
      parts_.partition_service.row_for(request.where, {.program = parent.program,
                                                       .front_end = parent.front_end,
                                                       .parent = parent.rank,
                                                       .batch = parts_.roster.next_batch()});
  child.origin = Origin::forked;
  child.program = parent.program;
  child.path = parent.path;
  child.front_end = parent.front_end;
  child.folder = parent.folder;
  child.outlets = parent.outlets;
  child.writer = parent.writer;  // what it prints goes where the parent prints
  parts_.waits.expect(child.rank);
  parts_.children.set_running(child);
  parts_.roster.set_state(child.rank, RankState::started);
  parts_.roster.set_pid(child.rank, request.unix_pid);
  watch_process(child, request.unix_pid, std::move(handle), parts_.loop,
                [this](Child& forked) { ended(forked); });
  parts_.children.add_pid(child);  // a child of EXEC's once its parent has ended
  try {
    auto welcome = context_.welcome(child.rank);
    welcome.group = context_.group.id();
    context_.channels.adopt(child, std::move(channel), welcome, context_.descriptors(child.rank));
  } catch (Error const& error) {
    ended(child);
    throw Refusal(1, SpawnFault::no_room, error.what());
  }
  return child;
}

void ForkedProcesses::ended(Child& child) {
  if (!child.alive()) return;
  parts_.loop.remove(child.registered_handle.get());
  context_.channels.drain(child);  // it may say there how it ends
  parts_.listener.ended(child, end_of(child));
}

}  // namespace earl::exec
