// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 3.8: looking for messages.
#include "frontends/mpi/call.hpp"
#include "frontends/mpi/messages.hpp"

namespace earl::mpi {

namespace {

void write_found(State const& me, Communicator const& comm, Found const& found,
                 MPI_Status* status) {
  write(status, {.source = me.source_of(comm, found.envelope),
                 .tag = number(found.envelope.tag),
                 .bytes = found.envelope.length});
}

void probe(State& me, Wanted const& wanted, MPI_Status* status) {
  check_status(status);
  Communicator const& comm = me.communicator(wanted.comm);
  auto const spec = spec_of(me, comm, wanted);
  if (!spec) return write(status, from_proc_null);
  write_found(me, comm, me.process().probe(*spec), status);
}

bool try_probe(State& me, Wanted const& wanted, MPI_Status* status) {
  check_status(status);
  Communicator const& comm = me.communicator(wanted.comm);
  auto const spec = spec_of(me, comm, wanted);
  if (!spec) return write(status, from_proc_null), true;
  auto const found = me.process().try_probe(*spec);
  if (found) write_found(me, comm, *found, status);
  return found.has_value();
}

}  // namespace
}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::State;

extern "C" int PMPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  return mpi::call("MPI_Probe", comm, [&](State& me) {
    mpi::probe(me, {nullptr, 0, MPI_BYTE, source, tag, comm}, status);
  });
}
EARL_MPI(Probe)

extern "C" int PMPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  return mpi::call("MPI_Iprobe", comm, [&](State& me) {
    int& found = mpi::require(flag, "flag");
    found = mpi::try_probe(me, {nullptr, 0, MPI_BYTE, source, tag, comm}, status) ? 1 : 0;
  });
}
EARL_MPI(Iprobe)
