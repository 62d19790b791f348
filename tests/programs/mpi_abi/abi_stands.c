/* SPDX-License-Identifier: BSD-3-Clause */
/* Each of two waits for the other. */
#include "../mpi/mpi_check.h"

int main(int argc, char **argv)
{
  int me, word;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Recv(&word, 1, MPI_INT, 1 - me, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
