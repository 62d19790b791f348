// SPDX-License-Identifier: BSD-3-Clause
/// The common part of all kinds of sending and receiving.
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
  ArgumentNames const& names = plain_names;
  char const* tag_name = "tag";
};
/// And of a receive.
struct Wanted {
  void* buffer;
  int count;
  Handle datatype;
  int source;
  int tag;
  Handle comm;
  ArgumentNames const& names = plain_names;
  char const* tag_name = "tag";
};

/// The send mode of a message; one that does not block waits in MPI_Wait at most.
enum class Way { standard, synchronous, ready, buffered, nonblocking };
constexpr Mode mode_of(Way way) {
  if (way == Way::synchronous) return Mode::synchronous;
  if (way == Way::standard) return Mode::standard_by_default;
  return way == Way::ready ? Mode::ready : Mode::standard;
}

/// A send that is judged, and what it needs.
struct Prepared {
  Communicator& comm;
  Outgoing data;
  bool to_proc_null;
  Envelope to;
};
Prepared prepared(State& me, Way way, Message const& message);
/// The messages that a receive matches; null: it is from MPI_PROC_NULL.
std::optional<MatchSpec> spec_of(State& me, Communicator const& comm, Wanted const& wanted);

/// The error of a receive: TRUNCATE, INTERN, or none.
inline ErrorClass error_of(Completion const& got) {
  if (got.lost) [[unlikely]]
    return ErrorClass::intern;
  return got.truncated ? ErrorClass::truncate : ErrorClass::success;
}
/// Throws an error of that class.
[[noreturn]] void refuse(State& me, Completion const& got);
inline void check(State& me, Completion const& got) {
  if (got.lost || got.truncated) [[unlikely]]
    refuse(me, got);
}

}  // namespace earl::mpi
