/* stuck_mpi CALL: rank 0 waits for ever in that call, rank 1 in a receive. */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
  static char many[1 << 20], room[(1 << 20) + MPI_BSEND_OVERHEAD];
  int me, words[2], which, count, indices[2], size;
  void *where;
  MPI_Request requests[2];
  MPI_Status status, statuses[2];
  char const *call = argc > 1 ? argv[1] : "";

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (me == 1) MPI_Recv(words, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &status);
  MPI_Irecv(&words[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&words[1], 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[1]);
  if (!strcmp(call, "waitany")) MPI_Waitany(2, requests, &which, &status);
  if (!strcmp(call, "waitsome")) MPI_Waitsome(2, requests, &count, indices, statuses);
  if (!strcmp(call, "waitall")) MPI_Waitall(2, requests, statuses);
  if (!strcmp(call, "ssend")) MPI_Ssend(words, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  if (!strcmp(call, "issend")) {
    MPI_Issend(words, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], &status);
  }
  if (!strcmp(call, "send")) MPI_Send(many, sizeof many, MPI_CHAR, 1, 3, MPI_COMM_WORLD);
  if (!strcmp(call, "isend")) {
    MPI_Isend(many, sizeof many, MPI_CHAR, 1, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], &status);
  }
  if (!strcmp(call, "isends")) {
    MPI_Isend(many, sizeof many, MPI_CHAR, 1, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(many, sizeof many, MPI_CHAR, 1, 4, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, statuses);
  }
  if (!strcmp(call, "buffer_detach")) {
    MPI_Buffer_attach(room, sizeof room);
    MPI_Bsend(many, sizeof many, MPI_CHAR, 1, 3, MPI_COMM_WORLD);
    MPI_Buffer_detach(&where, &size);
  }
  if (!strcmp(call, "barrier")) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
