/* Members of a communicator with a name: a race, a lost message and an open receive there, then collectives that do
 * not match. */
#include <mpi.h>

int main(int argc, char **argv)
{
  int me, n, i, word = 0, open;
  MPI_Comm grid;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  MPI_Comm_dup(MPI_COMM_WORLD, &grid);
  if (me == 0) {
    MPI_Irecv(&open, 1, MPI_INT, MPI_ANY_SOURCE, 9, grid, &request); /* open receive */
    for (i = 1; i < n; i++) MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 5, grid, MPI_STATUS_IGNORE); /* racing receive */
  } else {
    MPI_Send(&me, 1, MPI_INT, 0, 5, grid);
  }
  if (me == 1) MPI_Send(&word, 1, MPI_INT, 2, 7, grid); /* lost message */
  MPI_Comm_set_name(grid, "grid");
  if (me == 1)
    MPI_Bcast(&word, 1, MPI_INT, 1, grid); /* broadcast */
  else
    MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (me == 1)
    MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
  else
    MPI_Bcast(&word, 1, MPI_INT, me, grid);
  MPI_Finalize();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
