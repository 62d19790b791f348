// SPDX-License-Identifier: BSD-3-Clause
/// Calls of MPI as a program sees them: they return a code, after the communicator's error handler
/// was called.
#pragma once

#include "frontends/common/call.hpp"
#include "frontends/mpi/state.hpp"

/// Also defines MPI_name, weak: a profiling tool's own wins, in the program and in Fortran's
/// library. This library calls neither.
#define EARL_MPI(name) \
  extern "C" [[gnu::weak, gnu::alias("PMPI_" #name)]] decltype(PMPI_##name) MPI_##name;

namespace earl::mpi {

/// A call's return value for an error; `process` is null in a forked child.
int failed(Process* process, char const* name, Handle comm, Error const& error);

/// Does the API call `name`: function(State&), any time. An error is the communicator's; one of
/// MPI_COMM_WORLD's where `comm` is none. Inlined, so that the site a debugger sees is the
/// program's.
template <class Function>
[[gnu::always_inline]] inline int call_any_time(char const* name, Handle comm,
                                                Function const& function) {
  auto const* const frame = static_cast<CallFrame const*>(__builtin_frame_address(0));
  return api_call(
      name,
      [&](Process& process) -> int {
        function(state_of(process));
        return MPI_SUCCESS;
      },
      [&](Process* process, Error const& error) -> int {
        return failed(process, name, comm, error);
      },
      [&](Process& process, void const* site) {
        return state_of(process).fortran_code().program_site(site, frame);
      });
}

/// The same between MPI_Init and MPI_Finalize.
template <class Function>
[[gnu::always_inline]] inline int call(char const* name, Handle comm, Function const& function) {
  return call_any_time(name, comm, [&](State& me) {
    me.check_running();
    function(me);
  });
}

}  // namespace earl::mpi
