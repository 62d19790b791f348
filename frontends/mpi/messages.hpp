// SPDX-License-Identifier: BSD-3-Clause
/// What all kinds of sending and receiving share.
#pragma once

#include <optional>

#include "frontends/mpi/state.hpp"

namespace earl::mpi {

/// The arguments of a send.
struct Message {
  void const* buffer;
  int count;
  Handle datatype;
  int dest;
  int tag;
  Handle comm;
};
/// And of a receive.
struct Wanted {
  void* buffer;
  int count;
  Handle datatype;
  int source;
  int tag;
  Handle comm;
};

/// Which way a message goes.
enum class Way { standard, synchronous, ready, buffered };

/// A send that is judged, and what it needs.
struct Prepared {
  Communicator& comm;
  Outgoing data;
  bool to_nobody;
  Envelope to;
};
Prepared prepared(State& me, Way way, Message const& message);
/// What a receive is willing to take; null: it is from MPI_PROC_NULL.
std::optional<MatchSpec> spec_of(State& me, Communicator const& comm, Wanted const& wanted);

/// What has gone wrong with a receive: TRUNCATE, INTERN, or nothing.
ErrorClass error_of(Completion const& got);
/// Throws an error of that class, if there is one.
void check(State& me, Completion const& got);

}  // namespace earl::mpi
