// SPDX-License-Identifier: BSD-3-Clause
/// The draft's calls as seen by a program: -1, and MPI_ERROR says why. Nothing ends the program.
#pragma once

#include "frontends/common/call.hpp"
#include "frontends/mpi1draft/state.hpp"

/// Also defines name__, which is how g77 wrote a Fortran name with an underscore; gfortran's is
/// name_.
#define EARL_DRAFT_FORTRAN(name) extern "C" [[gnu::alias(#name "_")]] decltype(name##_) name##__

namespace earl::mpi1draft {

/// A Fortran argument: by reference, four bytes.
using Integer = int const&;

/// Does the API call `name`: function(State&, arguments...). Inlined, so that the site a debugger
/// sees is the program's.
template <class Function, class... Arguments>
[[gnu::always_inline]] inline auto call(char const* name, Function const& function,
                                        Arguments... arguments)
    -> decltype(function(std::declval<State&>(), arguments...)) {
  using Result = decltype(function(std::declval<State&>(), arguments...));
  return api_call(
      name,
      [&](Process& process) -> Result {
        State& me = state_of(process);
        me.set_status(Status::none);
        auto const result = function(me, arguments...);
        me.report_loss();
        return result;
      },
      [&](Process* process, Error const& error) -> Result {
        if (process) state_of(*process).failed(error);
        return static_cast<Result>(-1);
      });
}

/// Like call(), for the routines that leave the status of the call before as it is.
template <class Result, class Function>
[[gnu::always_inline]] inline Result ask(char const* name, Result otherwise,
                                         Function const& function) {
  return api_call(
      name, [&](Process& process) -> Result { return function(state_of(process)); },
      [&](Process*, Error const&) -> Result { return otherwise; });
}

}  // namespace earl::mpi1draft
