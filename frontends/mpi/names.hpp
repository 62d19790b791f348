// SPDX-License-Identifier: BSD-3-Clause
/// Members of communicators, and contexts, in sentences and reports.
#pragma once

#include <string>

#include "frontends/mpi/state.hpp"

namespace earl::mpi {

/// MPI_COMM_WORLD goes without saying where its numbers are Ranks. Looks through all communicators.
ContextName name_in_reports(State& me, Context context);

/// The call of another process, or the lock, that a message of the library's own stands for; empty:
/// the message is the program's.
std::string cause_in_reports(State& me, Selector const& awaited);

/// The caller: "rank 5", and its number in `comm` where that is another: "rank 5 (1 of left)".
std::string caller_text(State const& me, Communicator const& comm);
/// Likewise a process that messages of `comm` come from or go to.
std::string peer_text(State& me, Communicator const& comm, Rank rank);
std::string peer_text(State& me, Context context, Rank rank);

}  // namespace earl::mpi
