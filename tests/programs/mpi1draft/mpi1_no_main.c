/* Nothing to begin with: neither main() nor MPI_main(). */
#include <mpi1.h>

int nothing() { return MPI_GETID(ALL); }
/* SPDX-License-Identifier: BSD-3-Clause */
