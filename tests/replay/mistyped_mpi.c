/* Messages that are received as other types than they are sent as; comments name the lines that a
 * report must name. */
#include <mpi.h>

int main(int argc, char **argv)
{
  int me, i, words[4] = {0};
  double reals[2] = {0};
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (me == 0) {
    for (i = 0; i < 3; i++)
      MPI_Send(words, 2, MPI_INT, 1, 5, MPI_COMM_WORLD); /* sent words */
    MPI_Send(reals, 1, MPI_DOUBLE, 1, 6, MPI_COMM_WORLD); /* sent real */
    MPI_Send(reals, 1, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
  }
  if (me == 1) {
    for (i = 0; i < 3; i++)
      MPI_Recv(reals, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* received real */
    MPI_Irecv(words, 2, MPI_INT, 0, 6, MPI_COMM_WORLD, &request); /* received words */
    MPI_Recv(reals, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
