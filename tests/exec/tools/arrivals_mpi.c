/* Rank 0 prints in which order the others' messages come: blocking, probed for and posted. */
#include <mpi.h>
#include <stdio.h>

#define ROUNDS 6

int main(int argc, char **argv)
{
  int i, me, size, from, which, there;
  MPI_Status status;
  MPI_Request requests[2];

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (i = 0; me != 0 && i < ROUNDS; i++) MPI_Send(&me, 1, MPI_INT, 0, i % 2, MPI_COMM_WORLD);
  for (i = 0; me == 0 && i < ROUNDS * (size - 1); i++) {
    if (i % 3 == 0) MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    else if (i % 3 == 1) {
      for (there = 0; !there;)
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
      MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
    } else {
      requests[0] = MPI_REQUEST_NULL;
      MPI_Irecv(&from, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
      MPI_Waitany(2, requests, &which, &status);
    }
    printf("%d ", from);
  }
  if (me == 0) printf("\n");
  MPI_Finalize();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
