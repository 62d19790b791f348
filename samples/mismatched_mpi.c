/* Rank 1 reduces where the others broadcast: none waits for another, and no part is received. */
#include <mpi.h>

int main(int argc, char **argv)
{
  int me, one = 1, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (me == 1)
    MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* reduction */
  else
    MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD); /* broadcast */
  MPI_Finalize();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
