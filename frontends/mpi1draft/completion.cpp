// SPDX-License-Identifier: BSD-3-Clause
/// Proposal, 3.1: waiting for nonblocking operations, probing, and facts about the last message.
#include "frontends/mpi1draft/call.hpp"
#include "frontends/mpi1draft/include/mpi1.h"

namespace earl::mpi1draft {

namespace {

int probe(State& me, int source, int type) {
  me.facts().reset();
  MatchSpec spec = me.spec(Manner::nonblocking, source, type);
  spec.buffered_only = true;  // synchronized messages wait with their sender, in no buffer
  me.keep_limit();
  auto const found = me.process().try_probe(spec);
  if (!found) return -1;
  me.facts() = Facts{.length = length_of(found->envelope.length),
                     .type = number(found->envelope.tag),
                     .source = found->envelope.source};
  return me.facts()->length;
}

/// The result of a complete operation.
int result(State& me, char const* routine, Operation const& operation, Completion const& got) {
  if (got.receive) return me.received(routine, Manner::nonblocking, got);
  me.facts().reset();
  return operation.length;
}

int stats(State& me, int msgid) {
  Operation const& operation = me.find(msgid);
  me.keep_limit();
  me.facts().reset();
  auto const got = me.process().test(operation.request);
  return got ? result(me, "MPI_STATS", me.close(msgid), *got) : -1;
}

int wait(State& me, int msgid) {
  me.find(msgid);
  me.keep_limit();
  auto const operation = me.close(msgid);
  return result(me, "MPI_WAIT", operation, me.process().wait(operation.request));
}

int cancel(State& me, int msgid) {
  me.find(msgid);
  auto const operation = me.close(msgid);
  me.process().cancel(operation.request);
  me.process().wait(operation.request);
  return 0;
}

int infol(State& me) { return me.facts() ? me.facts()->length : -1; }
int infos(State& me) { return me.facts() ? me.number_of(me.facts()->source) : -1; }
int infot(State& me) { return me.facts() ? me.facts()->type : -1; }

}  // namespace
}  // namespace earl::mpi1draft

namespace draft = earl::mpi1draft;
using draft::Integer;

extern "C" int MPI_PROBE(int source, int type) {
  return draft::call("MPI_PROBE", draft::probe, source, type);
}
extern "C" int mpi_probe_(Integer source, Integer type) {
  return draft::call("MPI_PROBE", draft::probe, source, type);
}
EARL_DRAFT_FORTRAN(mpi_probe);

extern "C" int MPI_STATS(int msgid) { return draft::call("MPI_STATS", draft::stats, msgid); }
extern "C" int mpi_stats_(Integer msgid) { return draft::call("MPI_STATS", draft::stats, msgid); }
EARL_DRAFT_FORTRAN(mpi_stats);

extern "C" int MPI_WAIT(int msgid) { return draft::call("MPI_WAIT", draft::wait, msgid); }
extern "C" int mpi_wait_(Integer msgid) { return draft::call("MPI_WAIT", draft::wait, msgid); }
EARL_DRAFT_FORTRAN(mpi_wait);

extern "C" int MPI_CANCEL(int msgid) { return draft::call("MPI_CANCEL", draft::cancel, msgid); }
extern "C" int mpi_cancel_(Integer msgid) {
  return draft::call("MPI_CANCEL", draft::cancel, msgid);
}
EARL_DRAFT_FORTRAN(mpi_cancel);

extern "C" int MPI_INFOL(void) { return draft::call("MPI_INFOL", draft::infol); }
extern "C" int mpi_infol_(void) { return draft::call("MPI_INFOL", draft::infol); }
EARL_DRAFT_FORTRAN(mpi_infol);

extern "C" int MPI_INFOS(void) { return draft::call("MPI_INFOS", draft::infos); }
extern "C" int mpi_infos_(void) { return draft::call("MPI_INFOS", draft::infos); }
EARL_DRAFT_FORTRAN(mpi_infos);

extern "C" int MPI_INFOT(void) { return draft::call("MPI_INFOT", draft::infot); }
extern "C" int mpi_infot_(void) { return draft::call("MPI_INFOT", draft::infot); }
EARL_DRAFT_FORTRAN(mpi_infot);
