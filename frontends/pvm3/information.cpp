// SPDX-License-Identifier: BSD-3-Clause
// Information about tasks: parent, siblings, pstat, tasks; and version.
#include <algorithm>
#include <string>
#include <string_view>

#include "frontends/pvm3/call.hpp"
#include "frontends/pvm3/information.hpp"
#include "generic/exec_client.hpp"

namespace earl::pvm {

namespace {

bool spawned(IdRow const* row) { return row && row->parent >= 0; }

int parent(State& state) {
  state.enroll();
  auto const* mine = state.row();
  if (!spawned(mine) || state.returned()) return PvmNoParent;
  if (mine->flags & PvmNoSpawnParent) return PvmParentNotSet;
  return state.tid_of(parent_of(*mine));
}

void look_for_siblings(State& state, IdRow const& mine) {
  state.siblings.clear();
  auto const& table = state.me.table();
  table.each([&](Rank rank, IdRow const& row) {
    bool const together = row.batch == mine.batch;
    if (together && table.state(rank) != RankState::unused)
      state.siblings.push_back(state.tid_of(rank));
  });
}

/// Tasks that one `earl run -n` started are siblings, as after the console's `spawn -n`.
int siblings(State& state, int** tids) {
  state.enroll();
  auto const* mine = state.row();
  // EXEC does one thing at a time: when it answers anything, it has written down all tasks that the
  // spawn of this one started.
  if (spawned(mine)) state.me.exec().status(state.me.rank());
  // In PVM the list, too, is of the spawn: a task that enrols again is not in it.
  if (mine && (spawned(mine) || !state.returned())) look_for_siblings(state, *mine);
  if (state.siblings.empty()) state.siblings = {state.tid()};
  if (tids) *tids = state.siblings.data();
  return static_cast<int>(state.siblings.size());
}

/// Asks EXEC, so that the answer is recorded; a job of one process knows by itself.
ProcessList processes(State& state) {
  if (state.me.table().count() > 1) return state.me.exec().processes();
  ProcessList alone;
  alone.add(state.id());
  return alone;
}

bool alive(State& state, Rank id) { return id == state.id() || processes(state).has(id); }

int status(State& state, int tid) {
  if (!is_task(tid)) return PvmBadParam;
  state.enroll();
  auto const id = state.id_of(tid);
  return id && alive(state, *id) ? PvmOk : PvmNoTask;
}

constexpr int flag_connected = 0x4;
constexpr int flag_forked = 0x2;

/// Whether a task has spawned the task with that id: a task that enrols again has no parent.
bool is_child(IdRow const* row, Rank id) { return spawned(row) && returns_of(id) == 0; }

pvmtaskinfo describe(State& state, Rank id) {
  auto const* row = state.me.table().find(process_of(id));
  bool const by_task = is_child(row, id);
  pvmtaskinfo task{};
  task.ti_tid = state.tid_of(id);
  task.ti_host = task.ti_tid & host_mask;
  task.ti_flag = flag_connected | (by_task ? flag_forked : 0);
  if (by_task) {
    task.ti_ptid = row->flags & PvmNoSpawnParent ? PvmParentNotSet : state.tid_of(parent_of(*row));
  }
  task.ti_pid = row ? row->unix_pid.load() : 0;
  return task;
}

/// Whether the task, if present, is one pvm_tasks(where) lists. Processes of other front ends are
/// not.
bool listed(State& state, int where, Rank id) {
  auto const* row = state.me.table().find(process_of(id));
  bool const ours = id == state.id() || (row && front_end_of(*row) == "pvm3");
  auto const tid = ours ? state.tid_of(id) : 0;
  return ours && (where == 0 || where == (tid & host_mask) || where == tid);
}

}  // namespace

TaskList tasks_at(State& state, int where) {
  TaskList list;
  auto const present = processes(state);
  auto const add = [&](Rank rank, IdRow const* row) {
    auto const id = present.id_of(rank);
    if (!id || !listed(state, where, *id)) return;
    list.tasks.push_back(describe(state, *id));
    list.programs.push_back(is_child(row, *id) ? std::string{program_of(*row)} : "");
  };
  auto const& table = state.me.table();
  if (table.count() == 0)
    add(Rank{0}, nullptr);
  else
    table.each([&](Rank rank, IdRow const& row) { add(rank, &row); });
  for (std::size_t n = 0; n < list.tasks.size(); ++n)
    list.tasks[n].ti_a_out = list.programs[n].data();
  return list;
}

namespace {

int tasks(State& state, int where, int* ntask, pvmtaskinfo** list) {
  state.enroll();
  // In PVM, too, a multicast address belongs to no task, and is no error.
  bool const multicast = where >= first_multicast;
  if (where != 0 && !multicast && !state.machine().find(where)) return PvmNoHost;
  state.tasks = tasks_at(state, where);
  if (ntask) *ntask = static_cast<int>(state.tasks.tasks.size());
  if (list) *list = state.tasks.tasks.data();
  return PvmOk;
}

}  // namespace

}  // namespace earl::pvm

using namespace earl;

extern "C" {

int pvm_parent(void) {
  return pvm::quiet_call("pvm_parent", [](pvm::State& s) { return pvm::parent(s); });
}

int pvm_siblings(int** tids) {
  return pvm::call("pvm_siblings", [&](pvm::State& s) { return pvm::siblings(s, tids); });
}

int pvm_pstat(int tid) {
  return pvm::quiet_call("pvm_pstat", [&](pvm::State& s) {
    int const status = pvm::status(s, tid);
    return status == PvmBadParam ? pvm::failed(s, "pvm_pstat", status) : status;
  });
}

int pvm_tasks(int where, int* ntask, struct pvmtaskinfo** tasks) {
  return pvm::call("pvm_tasks", [&](pvm::State& s) { return pvm::tasks(s, where, ntask, tasks); });
}

char* pvm_version(void) {
  // The interface says char*; it must not be written to.
  return const_cast<char*>(PVM_VER);
}

}  // extern "C"
