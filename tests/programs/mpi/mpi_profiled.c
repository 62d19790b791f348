/* A tool in the program itself, as those of 1995: no const, and each call counted once. */
#include "mpi_check.h"

int sends, receives, levels;

int MPI_Send(void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
  sends++;
  return PMPI_Send(buf, count, datatype, dest, tag, comm);
}

int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
             MPI_Status *status)
{
  receives++;
  return PMPI_Recv(buf, count, datatype, source, tag, comm, status);
}

int MPI_Pcontrol(const int level, ...)
{
  levels += level;
  return MPI_SUCCESS;
}

main(argc, argv)
int argc;
char **argv;
{
  int me, n, word, sum;
  MPI_Comm dup;
  MPI_Status status;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  MPI_Pcontrol(2);
  word = me;
  MPI_Send(&word, 1, MPI_INT, (me + 1) % n, 0, MPI_COMM_WORLD);
  MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
  CHECK(word == (me + n - 1) % n);
  /* The library's own messages are no calls of the program's. */
  DOES(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  DOES(MPI_Barrier(MPI_COMM_WORLD));
  DOES(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
  DOES(MPI_Sendrecv(&me, 1, MPI_INT, (me + 1) % n, 1, &word, 1, MPI_INT, MPI_ANY_SOURCE, 1, dup,
                    &status));
  CHECK(sends == 1 && receives == 1 && levels == 2);
  MPI_Finalize();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
