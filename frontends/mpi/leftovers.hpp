// SPDX-License-Identifier: BSD-3-Clause
/// Objects that a program has made and not freed at MPI_Finalize, with the lines that made them.
#pragma once

namespace earl::mpi {

class State;

/// Whether the user asks for it (EARL_MPI_LEFTOVERS is 1), or a debugger.
bool leftovers_wanted(State& me);
/// For each kind of object and each line of the program that made some of it, one line on standard
/// error at the user's request, and one event for debuggers.
void report_leftovers(State& me);

}  // namespace earl::mpi
