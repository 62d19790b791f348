// SPDX-License-Identifier: BSD-3-Clause
/// The variables that MPICH's mpi.h declares: the loader refuses a program that refers to one that
/// no library has, even if the program never comes there. The functions that take them are absent.
extern "C" {

struct MPIR_T_pvar_handle_s;

namespace {
int const unweighted[1]{};
int const no_weights[1]{};
}  // namespace

#define EARL_MPI_VARIABLE(type, name, value)             \
  [[gnu::visibility("default")]] extern type const name; \
  type const name = value;

EARL_MPI_VARIABLE(int const*, MPI_UNWEIGHTED, unweighted)
EARL_MPI_VARIABLE(int const*, MPI_WEIGHTS_EMPTY, no_weights)
EARL_MPI_VARIABLE(int*, MPI_F_STATUS_IGNORE, nullptr)
EARL_MPI_VARIABLE(int*, MPI_F_STATUSES_IGNORE, nullptr)
EARL_MPI_VARIABLE(int*, MPI_F08_STATUS_IGNORE, nullptr)
EARL_MPI_VARIABLE(int*, MPI_F08_STATUSES_IGNORE, nullptr)
EARL_MPI_VARIABLE(MPIR_T_pvar_handle_s*, MPI_T_PVAR_ALL_HANDLES, nullptr)
}
