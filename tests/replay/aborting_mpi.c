/* All ranks fail at once, behind a barrier: with `send` by the same wrong call, else by MPI_Abort. */
#include <mpi.h>

int main(int argc, char **argv)
{
  int me, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Barrier(MPI_COMM_WORLD);
  if (argc > 1) MPI_Send(&value, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
  MPI_Abort(MPI_COMM_WORLD, 10 + me);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
