/* Two groups communicate, in collectives, too, duplicate their intercommunicator, and become one. */
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

/* The i-th number that the member `rank` of one half gives, the half of odd ranks or the other. */
#define GIVES(odd, rank, i) (1000 * (odd) + 10 * (rank) + (i))

/* Each half gets what the other gives. */
collectives(inter)
MPI_Comm inter;
{
  int odd = me % 2, rank, size, remote, i, j, root, sum, lower, mine[3], all[3 * 16], counts[16], places[16];
  int one[16], other[16], scattered[3], result[2], want;
  MPI_Datatype types[16];
  MPI_Comm_rank(inter, &rank);
  MPI_Comm_size(inter, &size);
  MPI_Comm_remote_size(inter, &remote);
  for (i = 0; i < 3; i++) mine[i] = GIVES(odd, rank, i);
  DOES(MPI_Barrier(inter));

  /* The last member of each half in turn is the root. */
  for (lower = 0; lower < 2; lower++) {
    root = odd != lower ? remote - 1 : rank == size - 1 ? MPI_ROOT : MPI_PROC_NULL;
    result[0] = result[1] = root == MPI_ROOT ? 77 + lower : -1;
    DOES(MPI_Bcast(root == MPI_PROC_NULL ? NULL : result, root == MPI_PROC_NULL ? 0 : 2, MPI_INT, root, inter));
    CHECK(result[0] == (root == MPI_PROC_NULL ? -1 : 77 + lower) && result[1] == result[0]);

    for (i = 0; i < 48; i++) all[i] = -1;
    DOES(MPI_Gather(mine, 3, MPI_INT, all, 3, MPI_INT, root, inter));
    for (i = 0; i < 3 * remote; i++)
      CHECK(all[i] == (root == MPI_ROOT ? GIVES(!odd, i / 3, i % 3) : -1));
    for (i = 0; i < 16; i++) all[i] = -1, counts[i] = i % 3 + 1, places[i] = 3 * (remote - 1 - i);
    DOES(MPI_Gatherv(mine, rank % 3 + 1, MPI_INT, all, counts, places, MPI_INT, root, inter));
    for (i = 0; root == MPI_ROOT && i < remote; i++)
      for (j = 0; j < counts[i]; j++) CHECK(all[places[i] + j] == GIVES(!odd, i, j));

    for (i = 0; i < 48; i++) all[i] = GIVES(odd, i / 3, i % 3);
    scattered[0] = scattered[2] = -1;
    DOES(MPI_Scatter(all, 3, MPI_INT, scattered, 3, MPI_INT, root, inter));
    want = odd != lower ? GIVES(!odd, rank, 2) : -1;
    CHECK(scattered[2] == want);
    scattered[0] = -1;
    for (i = 0; i < 16; i++) counts[i] = 1, places[i] = 3 * i + 1;
    DOES(MPI_Scatterv(all, counts, places, MPI_INT, scattered, 1, MPI_INT, root, inter));
    CHECK(scattered[0] == (odd != lower ? GIVES(!odd, rank, 1) : -1));

    result[0] = -1;
    DOES(MPI_Reduce(mine, result, 1, MPI_INT, MPI_SUM, root, inter));
    for (i = sum = 0; i < remote; i++) sum += GIVES(!odd, i, 0);
    CHECK(result[0] == (root == MPI_ROOT ? sum : -1));
  }

  DOES(MPI_Allreduce(mine, result, 2, MPI_INT, MPI_MAX, inter));
  CHECK(result[0] == GIVES(!odd, remote - 1, 0) && result[1] == GIVES(!odd, remote - 1, 1));
  DOES(MPI_Allgather(mine, 3, MPI_INT, all, 3, MPI_INT, inter));
  for (i = 0; i < 3 * remote; i++) CHECK(all[i] == GIVES(!odd, i / 3, i % 3));
  for (i = 0; i < 16; i++) all[i] = -1, counts[i] = i % 3 + 1, places[i] = 3 * (remote - 1 - i);
  DOES(MPI_Allgatherv(mine, rank % 3 + 1, MPI_INT, all, counts, places, MPI_INT, inter));
  for (i = 0; i < remote; i++)
    for (j = 0; j < 3; j++)
      CHECK(all[places[i] + j] == (j < counts[i] ? GIVES(!odd, i, j) : -1));

  for (i = 0; i < remote; i++) one[i] = GIVES(odd, rank, i), other[i] = -1;
  DOES(MPI_Alltoall(one, 1, MPI_INT, other, 1, MPI_INT, inter));
  for (i = 0; i < remote; i++) CHECK(other[i] == GIVES(!odd, i, rank));
  for (i = 0; i < remote; i++) other[i] = -1, counts[i] = 1, places[i] = remote - 1 - i, all[i] = i;
  DOES(MPI_Alltoallv(one, counts, all, MPI_INT, other, counts, places, MPI_INT, inter));
  for (i = 0; i < remote; i++) CHECK(other[remote - 1 - i] == GIVES(!odd, i, rank));
  for (i = 0; i < remote; i++) other[i] = -1, types[i] = MPI_INT, all[i] *= sizeof(int), places[i] *= sizeof(int);
  DOES(MPI_Alltoallw(one, counts, all, types, other, counts, places, types, inter));
  for (i = 0; i < remote; i++) CHECK(other[remote - 1 - i] == GIVES(!odd, i, rank));

  /* As many as both halves can share out. */
  for (i = 0; i < size * remote; i++) all[i] = GIVES(odd, rank, i);
  for (i = 0; i < size; i++) counts[i] = remote;
  DOES(MPI_Reduce_scatter(all, other, counts, MPI_INT, MPI_SUM, inter));
  for (i = 0; i < remote; i++) {
    for (j = sum = 0; j < remote; j++) sum += GIVES(!odd, j, rank * remote + i);
    CHECK(other[i] == sum);
  }
  DOES(MPI_Barrier(inter));

  MPI_Errhandler_set(inter, MPI_ERRORS_RETURN);
  FAILS(MPI_Bcast(mine, 1, MPI_INT, remote, inter), MPI_ERR_ROOT);
  FAILS(MPI_Gather(mine, 1, MPI_INT, all, 1, MPI_INT, -5, inter), MPI_ERR_ROOT);
  FAILS(MPI_Scan(mine, all, 1, MPI_INT, MPI_SUM, inter), MPI_ERR_COMM);
  MPICH_DIFFERS(FAILS(MPI_Allreduce(MPI_IN_PLACE, all, 1, MPI_INT, MPI_SUM, inter), MPI_ERR_BUFFER);)
}

/* Each of a part of an intercommunicator sends to each of its other side. */
is_joined(part, size, remote)
MPI_Comm part;
int size, remote;
{
  int flag, have, rank, i, got, sum = 0, all = 0;
  MPI_Request requests[16];
  DOES(MPI_Comm_test_inter(part, &flag));
  CHECK(flag);
  DOES(MPI_Comm_size(part, &have));
  CHECK(have == size);
  DOES(MPI_Comm_remote_size(part, &have));
  CHECK(have == remote);
  DOES(MPI_Comm_rank(part, &rank));
  for (i = 0; i < remote; i++) DOES(MPI_Isend(&me, 1, MPI_INT, i, 3, part, &requests[i]));
  for (i = 0; i < remote; i++) {
    DOES(MPI_Recv(&got, 1, MPI_INT, i, 3, part, MPI_STATUS_IGNORE));
    CHECK(got % 2 != me % 2);
    sum += got;
  }
  DOES(MPI_Waitall(remote, requests, MPI_STATUSES_IGNORE));
  DOES(MPI_Allreduce(&me, &all, 1, MPI_INT, MPI_SUM, part));
  CHECK(all == sum);
  DOES(MPI_Barrier(part));
  DOES(MPI_Comm_free(&part));
}

/* MPI-2.2, 6.4.2: a part has those of one color of both groups, and those that both groups name. */
parts(inter)
MPI_Comm inter;
{
  int rank, size, remote, color, both, backwards = -1;
  MPI_Comm part;
  MPI_Group group, named;
  DOES(MPI_Comm_rank(inter, &rank));
  DOES(MPI_Comm_size(inter, &size));
  DOES(MPI_Comm_remote_size(inter, &remote));
  both = size < remote ? size : remote;

  /* All of them, each group backwards. */
  DOES(MPI_Comm_split(inter, 4, -rank, &part));
  DOES(MPI_Comm_rank(part, &backwards));
  CHECK(backwards == size - 1 - rank);
  is_joined(part, size, remote);
  /* One of each group; the last one of the longer group has a color of its own. */
  DOES(MPI_Comm_split(inter, rank, 0, &part));
  CHECK((part == MPI_COMM_NULL) == (rank >= both));
  if (part != MPI_COMM_NULL) is_joined(part, 1, 1);
  /* A color of one group alone, and none. */
  color = me % 2 ? 7 : rank == 0 ? MPI_UNDEFINED : 8;
  DOES(MPI_Comm_split(inter, color, 0, &part));
  CHECK(part == MPI_COMM_NULL);

  DOES(MPI_Comm_group(inter, &group));
  /* The last member of each. */
  rank = size - 1;
  DOES(MPI_Group_incl(group, 1, &rank, &named));
  DOES(MPI_Comm_create(inter, named, &part));
  DOES(MPI_Group_rank(named, &rank));
  CHECK((part == MPI_COMM_NULL) == (rank == MPI_UNDEFINED));
  if (part != MPI_COMM_NULL) is_joined(part, 1, 1);
  /* One side names no process. */
  DOES(MPI_Comm_create(inter, me % 2 ? MPI_GROUP_EMPTY : group, &part));
  CHECK(part == MPI_COMM_NULL);
  DOES(MPI_Comm_create(inter, group, &part));
  is_joined(part, size, remote);
  DOES(MPI_Group_free(&named));
  DOES(MPI_Group_free(&group));
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
  collectives(inter);
  parts(inter);
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
