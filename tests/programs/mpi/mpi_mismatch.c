/* Rank 0 makes one collective call, the others another one, then all the same: mpi_mismatch FIRST
 * SECOND [THEN] */
#include "mpi_check.h"

static int me, n, one = 1, words[64], many[64];

static void nothing(void *in, void *inout, int *count, MPI_Datatype *type) {}

static void make(char *call)
{
  double real = 1, sum;
  if (!strcmp(call, "barrier")) MPI_Barrier(MPI_COMM_WORLD);
  if (!strcmp(call, "bcast")) MPI_Bcast(words, 4, MPI_INT, 0, MPI_COMM_WORLD);
  if (!strcmp(call, "bcast-longer")) MPI_Bcast(words, 5, MPI_INT, 0, MPI_COMM_WORLD);
  if (!strcmp(call, "bcast-last")) MPI_Bcast(words, 4, MPI_INT, n - 1, MPI_COMM_WORLD);
  if (!strcmp(call, "sum")) MPI_Allreduce(&one, words, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (!strcmp(call, "max")) MPI_Allreduce(&one, words, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (!strcmp(call, "sum-of-reals"))
    MPI_Allreduce(&real, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (!strcmp(call, "gather"))
    MPI_Gather(&one, 1, MPI_INT, words, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (!strcmp(call, "gather-two"))
    MPI_Gather(many, 2, MPI_INT, words, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (!strcmp(call, "scan")) MPI_Scan(&one, words, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (!strcmp(call, "alltoall"))
    MPI_Alltoall(many, 1, MPI_INT, words, 1, MPI_INT, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  make(argv[me == 0 ? 1 : 2]);
  if (argc > 3) make(argv[3]);
  printf("rank %d: %s is through\n", me, argv[me == 0 ? 1 : 2]);
  MPI_Finalize();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
