// SPDX-License-Identifier: BSD-3-Clause
/// Manual: processes. load waitall waitone killproc killcube.
#include <sys/wait.h>

#include <csignal>

#include "frontends/nx/call.hpp"
#include "frontends/nx/include/nx.h"
#include "frontends/nx/loading.hpp"
#include "frontends/nx/text.hpp"
#include "generic/exec_client.hpp"

namespace earl::nx {

namespace {

int number_of(SpawnFault fault) { return fault == SpawnFault::no_room ? EQNOPROC : EQBADFIL; }

/// Nodes, pids: -1 means all of them.
Places places(State& me, std::int32_t node, std::int32_t pid) {
  auto const partition = me.need_cube();
  if (node != any && !me.cube().holds(node))
    throw NxError(EQNODE, "node {} is not in this cube of {} (0 to {})", node, me.cube().size(),
                  me.cube().size() - 1);
  if (pid < any) throw NxError(EQPID, "pid {} is negative", pid);
  return {.partition = partition, .place = node, .label = pid};
}

/// The loader of a process is its parent.
void refuse_used(State& me, std::int32_t node, std::int32_t pid) {
  auto const* row = me.process().table().find(me.rank_of(node, pid));
  if (row && row->parent == number(no_rank))
    throw NxError(EQUSEPID,
                  "a process with pid {} is there already: the command line has started the nodes; "
                  "leave them out of it (earl run ./host), or load nothing",
                  pid);
}

void load(State& me, std::string const& file, std::int32_t node, std::int32_t pid) {
  if (file.empty()) throw NxError(EQPFIL, "no file is named");
  if (pid < 0) throw NxError(EQPID, "pid {} is negative", pid);
  auto const where = places(me, node, pid);
  // Names are relative to the host's current folder.
  auto const answer =
      me.process().exec().load({.what = {.program = file, .search = {"."}}, .where = where});
  if (answer.fault == LoadFault::in_use) refuse_used(me, node == any ? 0 : node, pid);
  refuse_unless_loaded(answer, pid);
}

void waitall(State& me, std::int32_t node, std::int32_t pid) {
  auto const where = places(me, node, pid);
  me.process().exec().wait_all(where);
}

/// The status that a shell reports: the exit code, or 128 and the signal.
std::int32_t code_of(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

template <class Number>
void waitone(State& me, std::int32_t node, std::int32_t pid, Number* cnode, Number* cpid,
             Number* ccode) {
  if (!cnode) throw NxError(EQPCNODE, "the address for the node is null: pass a variable");
  if (!cpid) throw NxError(EQPCPID, "the address for the pid is null: pass a variable");
  if (!ccode) throw NxError(EQPCCODE, "the address for the exit code is null: pass a variable");
  auto const where = places(me, node, pid);
  auto const ended = me.process().exec().wait_one(where);
  if (!ended.known)
    throw NxError(EQNOACT, "no process is left to wait for (node {}, pid {})", node, pid);
  *cnode = ended.place;
  *cpid = ended.label;
  *ccode = code_of(ended.wait_status);
}

void end_process(State& me, Rank rank) {
  me.process().exec().signal({.target = rank, .signal = SIGKILL});
}

/// For nodes that were started together: all have the caller's pid by convention, the caller goes
/// last.
void end_started(State& me, std::int32_t node, std::int32_t pid) {
  if (node != any && !me.cube().holds(node)) me.cube().rank_of(node);
  if (pid != any && pid != me.pid()) return;
  for (const Rank rank : me.cube().others())
    if (node == any || me.cube().node_of(rank) == node) end_process(me, rank);
  if (node == any || node == me.cube().me()) end_process(me, me.process().rank());
}

void killproc(State& me, std::int32_t node, std::int32_t pid) {
  if (!me.can_host()) return end_started(me, node, pid);
  auto const where = places(me, node, pid);
  me.process().exec().end_processes(where);
}

/// Also throws the processes' messages away, which no other process could receive anyhow.
void killcube(State& me, std::int32_t node, std::int32_t pid) { killproc(me, node, pid); }

}  // namespace

void refuse_unless_loaded(LoadAnswer const& answer, std::int32_t pid) {
  if (answer.fault == LoadFault::in_use)
    throw NxError(EQUSEPID, "a process with pid {} is there already", pid);
  if (answer.fault == LoadFault::unknown) throw NxError(EQNODE, "the cube was released");
  if (answer.fault == LoadFault::not_started)
    throw NxError(number_of(answer.started.fault), "{}", answer.started.why);
}

}  // namespace earl::nx

namespace nx = earl::nx;
using nx::Integer;
using nx::Plain;
using nx::text;
using nx::Underscore;

EARL_NX_ENTRY void load(char* file, long node, long pid) {
  nx::call<Plain>("load", nx::load, text(file), node, pid);
}
EARL_NX_ENTRY long _load(char* file, long node, long pid) {
  return nx::call<Underscore>("_load", nx::load, text(file), node, pid);
}
EARL_NX_ENTRY void load_(char* file, Integer node, Integer pid, std::size_t length) {
  nx::call<Plain>("load", nx::load, text(file, length), node, pid);
}

EARL_NX_ENTRY void waitall(long node, long pid) {
  nx::call<Plain>("waitall", nx::waitall, node, pid);
}
EARL_NX_ENTRY long _waitall(long node, long pid) {
  return nx::call<Underscore>("_waitall", nx::waitall, node, pid);
}
EARL_NX_ENTRY void waitall_(Integer node, Integer pid) {
  nx::call<Plain>("waitall", nx::waitall, node, pid);
}

EARL_NX_ENTRY void waitone(long node, long pid, long* cnode, long* cpid, long* ccode) {
  nx::call<Plain>("waitone", nx::waitone<long>, node, pid, cnode, cpid, ccode);
}
EARL_NX_ENTRY long _waitone(long node, long pid, long* cnode, long* cpid, long* ccode) {
  return nx::call<Underscore>("_waitone", nx::waitone<long>, node, pid, cnode, cpid, ccode);
}
EARL_NX_ENTRY void waitone_(Integer node, Integer pid, std::int32_t* cnode, std::int32_t* cpid,
                            std::int32_t* ccode) {
  nx::call<Plain>("waitone", nx::waitone<std::int32_t>, node, pid, cnode, cpid, ccode);
}

EARL_NX_LONG32(void, waitone, nx::waitone<std::int32_t>,
               (long node, long pid, std::int32_t* cnode, std::int32_t* cpid, std::int32_t* ccode),
               node, pid, cnode, cpid, ccode)

EARL_NX_ENTRY void killproc(long node, long pid) {
  nx::call<Plain>("killproc", nx::killproc, node, pid);
}
EARL_NX_ENTRY long _killproc(long node, long pid) {
  return nx::call<Underscore>("_killproc", nx::killproc, node, pid);
}
EARL_NX_ENTRY void killproc_(Integer node, Integer pid) {
  nx::call<Plain>("killproc", nx::killproc, node, pid);
}

EARL_NX_ENTRY void killcube(long node, long pid) {
  nx::call<Plain>("killcube", nx::killcube, node, pid);
}
EARL_NX_ENTRY long _killcube(long node, long pid) {
  return nx::call<Underscore>("_killcube", nx::killcube, node, pid);
}
EARL_NX_ENTRY void killcube_(Integer node, Integer pid) {
  nx::call<Plain>("killcube", nx::killcube, node, pid);
}
