// SPDX-License-Identifier: BSD-3-Clause
/// Objects that a program has made and not freed at MPI_Finalize, with the lines that made them.
#pragma once

namespace earl::mpi {

class State;

/// Whether the user asks for it: EARL_MPI_LEFTOVERS is 1.
bool leftovers_wanted();
/// One line for each kind of object and each line of the program that made some of it.
void report_leftovers(State& me);

}  // namespace earl::mpi
