/* Messages that are received as other types than they are sent as; comments name the lines that a
 * report must name. */
#include <mpi.h>

/* Members that exchange parts with one other pass types that fit those, and parts of no elements. */
static void collectives(int me)
{
  int words[4] = {0}, counts[2] = {0}, places[2] = {0}, ones[2] = {1, 1}, apart[2] = {0, 1};
  float floats[4];
  double reals[4];
  MPI_Gather(words, 1, MPI_INT, floats, 1, MPI_FLOAT, 0, MPI_COMM_WORLD); /* gathered */
  MPI_Bcast(words, 2, me ? MPI_FLOAT : MPI_INT, 0, MPI_COMM_WORLD); /* broadcast */
  MPI_Bcast(words, me ? 2 : 1, me ? MPI_INT : MPI_2INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(words, me ? 8 : 2, me ? MPI_PACKED : MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(words, 0, me ? MPI_INT : MPI_DOUBLE, 0, MPI_COMM_WORLD);
  counts[1 - me] = 1;
  if (me == 0)
    MPI_Alltoallv(words, counts, places, MPI_INT, reals, counts, places, MPI_DOUBLE,
                  MPI_COMM_WORLD);
  else
    MPI_Alltoallv(reals, counts, places, MPI_DOUBLE, words, counts, places, MPI_INT,
                  MPI_COMM_WORLD);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, words, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoall(words, 1, MPI_INT, floats, 1, MPI_FLOAT, MPI_COMM_WORLD); /* all to all */
  if (me == 0)
    MPI_Allgather(words + 2, 1, MPI_INT, words, 1, MPI_INT, MPI_COMM_WORLD); /* equal parts */
  else
    MPI_Allgatherv(words + 2, 1, MPI_INT, words, ones, apart, MPI_INT, MPI_COMM_WORLD); /* any parts */
}

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
  collectives(me);
  MPI_Finalize();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
