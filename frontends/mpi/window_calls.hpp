// SPDX-License-Identifier: BSD-3-Clause
/// The common part of the calls on windows.
#pragma once

#include "frontends/mpi/call.hpp"
#include "frontends/mpi/windows.hpp"

namespace earl::mpi {

/// Class WIN.
Window& window_of(State& me, Handle win, char const* argument = "win");
/// A number in the window's group, or MPI_PROC_NULL. Class RANK.
void check_member(Window const& window, int number, char const* argument);

/// A call() of function(State&, Window&); an error is the window's, or MPI_COMM_WORLD's where
/// `win` is none.
template <class Function>
[[gnu::always_inline]] inline int call_on_window(char const* name, Handle win,
                                                 Function const& function) {
  return call(name, MPI_COMM_WORLD, [&](State& me) {
    Window& window = window_of(me, win);
    me.use_handler_of(*window.scope);
    function(me, window);
    me.clear_error_handler();
  });
}

}  // namespace earl::mpi
