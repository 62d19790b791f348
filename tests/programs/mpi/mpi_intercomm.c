/* Two groups communicate, duplicate their intercommunicator, and become one. */
#include "mpi_check.h"

int me, n;

/* Ranks of `whole` in order: first those of one half, then of the other. */
is_merged(whole, low_first)
MPI_Comm whole;
{
  int rank, size, half = (n + 1) / 2, low = me % 2 == 0;

  DOES(MPI_Comm_rank(whole, &rank));
  DOES(MPI_Comm_size(whole, &size));
  CHECK(size == n);
  CHECK(rank == me / 2 + (low == low_first ? 0 : low_first ? half : n - half));
  DOES(MPI_Barrier(whole));
}

main(argc, argv)
int argc;
char **argv;
{
  MPI_Comm half, inter, dup, whole;
  MPI_Group group;
  MPI_Status status;
  MPI_Request request;
  int flag, size, remote, rank, word, got = -1, result, i;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  DOES(MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half));
  DOES(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - me % 2, 17, &inter));
  DOES(MPI_Comm_test_inter(inter, &flag));
  CHECK(flag);
  DOES(MPI_Comm_test_inter(half, &flag));
  CHECK(!flag);
  DOES(MPI_Comm_size(inter, &size));
  DOES(MPI_Comm_remote_size(inter, &remote));
  DOES(MPI_Comm_rank(inter, &rank));
  CHECK(size == (n + 1 - me % 2) / 2 && remote == n - size && rank == me / 2);
  DOES(MPI_Comm_remote_group(inter, &group));
  DOES(MPI_Group_size(group, &i));
  CHECK(i == remote);
  DOES(MPI_Group_free(&group));
  /* Each of one half sends to each of the other. */
  for (i = 0; i < remote; i++) {
    word = 100 * me + i;
    DOES(MPI_Isend(&word, 1, MPI_INT, i, 1, inter, &request));
    DOES(MPI_Wait(&request, &status));
  }
  for (i = 0; i < remote; i++) {
    DOES(MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1, inter, &status));
    CHECK(got == 100 * (2 * status.MPI_SOURCE + 1 - me % 2) + rank);
  }
  DOES(MPI_Comm_dup(inter, &dup));
  DOES(MPI_Comm_compare(inter, dup, &result));
  CHECK(result == MPI_CONGRUENT);
  DOES(MPI_Comm_compare(inter, half, &result));
  CHECK(result == MPI_UNEQUAL);
  DOES(MPI_Intercomm_merge(dup, me % 2, &whole));
  is_merged(whole, 1);
  DOES(MPI_Comm_free(&whole));
  DOES(MPI_Intercomm_merge(inter, me % 2 == 0, &whole));
  is_merged(whole, 0);
  DOES(MPI_Comm_free(&whole));
  /* Either order, but the same for all. */
  DOES(MPI_Intercomm_merge(inter, 1, &whole));
  DOES(MPI_Comm_rank(whole, &rank));
  word = me % 2;
  DOES(MPI_Bcast(&word, 1, MPI_INT, 0, whole));
  is_merged(whole, word == 0);
  MPI_Errhandler_set(inter, MPI_ERRORS_RETURN);
  FAILS(MPI_Cart_create(inter, 0, &i, &i, 0, &whole), MPI_ERR_COMM);
  MPICH_CRASHES(FAILS(MPI_Intercomm_merge(half, 0, &whole), MPI_ERR_COMM));
  DOES(MPI_Comm_free(&inter));
  DOES(MPI_Comm_free(&dup));
  DOES(MPI_Comm_free(&half));
  MPI_Finalize();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
