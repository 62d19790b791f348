/* Messages that are received as other types than they were sent as, and some that only look so. */
#include "mpi_check.h"

int me, words[40];
MPI_Comm pairs;

static MPI_Datatype pair_of(MPI_Datatype one, MPI_Datatype other)
{
  MPI_Datatype types[2], made;
  MPI_Aint places[2] = {0, 8};
  int lengths[2] = {1, 1};
  types[0] = one, types[1] = other;
  DOES(MPI_Type_struct(2, lengths, places, types, &made));
  DOES(MPI_Type_commit(&made));
  return made;
}

static void send(MPI_Datatype first, MPI_Datatype second)
{
  int i;
  DOES(MPI_Send(words, 1, MPI_2INT, 1, 1, MPI_COMM_WORLD));
  DOES(MPI_Send(words, 2, first, 1, 2, MPI_COMM_WORLD));
  DOES(MPI_Send(words, 4, MPI_PACKED, 1, 3, MPI_COMM_WORLD));
  DOES(MPI_Send(NULL, 0, MPI_INT, 1, 4, MPI_COMM_WORLD));
  for (i = 0; i < 3; i++)
    DOES(MPI_Send(words, 1, MPI_INT, 1, 7, MPI_COMM_WORLD));
  DOES(MPI_Send(words, 1, first, 1, 8, pairs));
}

static void receive(MPI_Datatype first, MPI_Datatype second)
{
  MPI_Request request;
  int i;
  DOES(MPI_Recv(words, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  DOES(MPI_Recv(words, 5, first, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  DOES(MPI_Recv(words, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  DOES(MPI_Recv(words, 3, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  for (i = 0; i < 3; i++)
    DOES(MPI_Recv(words, 1, MPI_FLOAT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  DOES(MPI_Irecv(words, 1, second, 0, 8, pairs, &request));
  DOES(MPI_Type_free(&second));
  DOES(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
  MPI_Datatype first, second;
  DOES(MPI_Init(&argc, &argv));
  DOES(MPI_Comm_rank(MPI_COMM_WORLD, &me));
  DOES(MPI_Comm_dup(MPI_COMM_WORLD, &pairs));
  DOES(MPI_Comm_set_name(pairs, "pairs"));
  first = pair_of(MPI_INT, MPI_DOUBLE);
  second = pair_of(MPI_DOUBLE, MPI_INT);
  if (me == 0) send(first, second);
  if (me == 1) receive(first, second);
  DOES(MPI_Comm_free(&pairs));
  DOES(MPI_Finalize());
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
