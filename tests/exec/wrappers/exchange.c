/* Prints its version of MPI. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
  int sent = 7, got = 0;
  MPI_Init(&argc, &argv);
  MPI_Sendrecv(&sent, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, MPI_COMM_SELF,
               MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  printf(" %d\n", got);
  return MPI_Finalize();
}
/* SPDX-License-Identifier: BSD-3-Clause */
