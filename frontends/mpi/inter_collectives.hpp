// SPDX-License-Identifier: BSD-3-Clause
/// MPI-2, 7.3: collectives on intercommunicators. Each group gets what the other gives.
/// MPI_IN_PLACE is of class BUFFER.
#pragma once

#include "frontends/mpi/collectives.hpp"
#include "frontends/mpi/parts.hpp"
#include "generic/collectives/between.hpp"

namespace earl::mpi {

/// The two groups of an intercommunicator; valid as long as that is.
GroupPair groups_of(Communicator const& inter);

// `root`: MPI_ROOT, MPI_PROC_NULL, or a member of the other group; class ROOT. `each`: counts of
// the other group's members; null: `count` is that of each.

void broadcast_between(State& me, Communicator const& inter, int root, Received const& data);
void gather_between(State& me, Communicator const& inter, int root, Sent const& sent,
                    Received const& received, Counts const* each);
void scatter_between(State& me, Communicator const& inter, int root, Sent const& sent,
                     Received const& received, Counts const* each);
void all_gather_between(State& me, Communicator const& inter, Sent const& sent,
                        Received const& received, Counts const* each);
void all_to_all_between(State& me, Communicator const& inter, Sent const& sent,
                        Received const& received, Counts const* out, Counts const* in);
void reduce_between(State& me, Communicator const& inter, int root, Sent const& sent, void* into,
                    Handle op);
void all_reduce_between(State& me, Communicator const& inter, Sent const& sent, void* into,
                        Handle op);
/// `counts`: of the own group's members.
void reduce_scatter_between(State& me, Communicator const& inter, Sent const& sent, void* into,
                            int const* counts, Handle op);

}  // namespace earl::mpi
