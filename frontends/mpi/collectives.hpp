// SPDX-License-Identifier: BSD-3-Clause
/// The operations that all collectives need of their communicator.
#pragma once

#include "frontends/mpi/state.hpp"

namespace earl::mpi {

/// The communicator of a collective: class COMM for an intercommunicator.
Communicator& collective_on(State& me, Handle comm);
/// The member that `root` names; class ROOT.
std::size_t member(Communicator const& comm, int root);

}  // namespace earl::mpi
