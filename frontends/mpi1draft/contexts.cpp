// SPDX-License-Identifier: BSD-3-Clause
/// Proposal, 3.3: communication contexts. Their numbers are counted, never agreed on: all processes
/// of a group context make the same ones in the same order.
#include <algorithm>

#include "frontends/mpi1draft/call.hpp"
#include "frontends/mpi1draft/include/mpi1.h"

namespace earl::mpi1draft {

namespace {

int newc(State& me) { return me.scopes().new_context(); }

int pushc(State& me, int ccid) {
  me.scopes().push_context(ccid);
  return 0;
}

int popc(State& me) { return me.scopes().pop_context(); }

int infoc(State& me, int maxlis, int* ilist) {
  if (maxlis < 0 || (maxlis > 0 && !ilist))
    throw DraftError(Status::bad_size, "maxlis is {}: pass room for all context numbers", maxlis);
  int const shown = std::min(maxlis, me.scopes().contexts());
  for (int i = 0; i < shown; ++i) ilist[i] = i + 1;
  return me.scopes().contexts();
}

}  // namespace
}  // namespace earl::mpi1draft

namespace draft = earl::mpi1draft;
using draft::Integer;

extern "C" int MPI_NEWC(void) { return draft::call("MPI_NEWC", draft::newc); }
extern "C" int mpi_newc_(void) { return draft::call("MPI_NEWC", draft::newc); }
EARL_DRAFT_FORTRAN(mpi_newc);

extern "C" int MPI_PUSHC(int ccid) { return draft::call("MPI_PUSHC", draft::pushc, ccid); }
extern "C" int mpi_pushc_(Integer ccid) { return draft::call("MPI_PUSHC", draft::pushc, ccid); }
EARL_DRAFT_FORTRAN(mpi_pushc);

extern "C" int MPI_POPC(void) { return draft::call("MPI_POPC", draft::popc); }
extern "C" int mpi_popc_(void) { return draft::call("MPI_POPC", draft::popc); }
EARL_DRAFT_FORTRAN(mpi_popc);

extern "C" int MPI_INFOC(int maxlis, int* ilist) {
  return draft::call("MPI_INFOC", draft::infoc, maxlis, ilist);
}
extern "C" int mpi_infoc_(Integer maxlis, int* ilist) {
  return draft::call("MPI_INFOC", draft::infoc, maxlis, ilist);
}
EARL_DRAFT_FORTRAN(mpi_infoc);
