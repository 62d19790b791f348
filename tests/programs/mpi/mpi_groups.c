/* Groups, and communicators made of them. */
#include "mpi_check.h"

int me, n;
MPI_Group world;

int size_of(group)
MPI_Group group;
{
  int size = -1;

  DOES(MPI_Group_size(group, &size));
  return size;
}

int rank_in(group)
MPI_Group group;
{
  int rank = -7;

  DOES(MPI_Group_rank(group, &rank));
  return rank;
}

int compared(one, other)
MPI_Group one, other;
{
  int result = -1;

  DOES(MPI_Group_compare(one, other, &result));
  return result;
}

sets()
{
  MPI_Group even, odd, all, none, back, low;
  int range[1][3], i, ranks[64], there[64];

  range[0][0] = 0, range[0][1] = n - 1, range[0][2] = 2;
  DOES(MPI_Group_range_incl(world, 1, range, &even));
  DOES(MPI_Group_range_excl(world, 1, range, &odd));
  CHECK(size_of(even) == (n + 1) / 2 && size_of(odd) == n / 2);
  CHECK(rank_in(even) == (me % 2 ? MPI_UNDEFINED : me / 2));
  CHECK(rank_in(odd) == (me % 2 ? me / 2 : MPI_UNDEFINED));
  DOES(MPI_Group_union(even, odd, &all));
  CHECK(size_of(all) == n && compared(all, world) == (n < 3 ? MPI_IDENT : MPI_SIMILAR));
  DOES(MPI_Group_intersection(even, odd, &none));
  CHECK(none == MPI_GROUP_EMPTY);
  DOES(MPI_Group_difference(all, odd, &low));
  CHECK(compared(low, even) == MPI_IDENT);
  range[0][0] = n - 1, range[0][1] = 0, range[0][2] = -1;
  DOES(MPI_Group_range_incl(world, 1, range, &back));
  CHECK(rank_in(back) == n - 1 - me);
  for (i = 0; i < n; i++) ranks[i] = i;
  DOES(MPI_Group_translate_ranks(back, n, ranks, even, there));
  for (i = 0; i < n; i++)
    CHECK(there[i] == ((n - 1 - i) % 2 ? MPI_UNDEFINED : (n - 1 - i) / 2));
  DOES(MPI_Group_free(&none));
  CHECK(none == MPI_GROUP_NULL);
  DOES(MPI_Group_incl(world, 0, ranks, &none));
  CHECK(none == MPI_GROUP_EMPTY);
  DOES(MPI_Group_incl(world, 1, &ranks[n - 1], &low));
  CHECK(size_of(low) == 1);
  DOES(MPI_Group_excl(world, 1, &ranks[n - 1], &odd));
  CHECK(size_of(odd) == n - 1);
  DOES(MPI_Group_free(&even));
  FAILS(MPI_Group_size(even, &i), MPI_ERR_GROUP);
  FAILS(MPI_Group_incl(world, 1, &n, &low), MPI_ERR_RANK);
  ranks[1] = 0;
  MPICH_TAKES(FAILS(MPI_Group_excl(world, 2, ranks, &low), MPI_ERR_RANK));
  range[0][2] = 0;
  FAILS(MPI_Group_range_incl(world, 1, range, &low), MPI_ERR_ARG);
  FAILS(MPI_Group_size((MPI_Group)MPI_COMM_WORLD, &i), MPI_ERR_GROUP);
}

/* The last comes first. */
communicators()
{
  MPI_Group back;
  MPI_Comm other, dup;
  MPI_Status status;
  int range[1][3], rank, size, result, word = me, got = -1;

  range[0][0] = n - 1, range[0][1] = n > 1, range[0][2] = -1;
  DOES(MPI_Group_range_incl(world, 1, range, &back));
  DOES(MPI_Comm_create(MPI_COMM_WORLD, back, &other));
  if (n > 1 && me == 0) {
    CHECK(other == MPI_COMM_NULL);
  } else {
    DOES(MPI_Comm_rank(other, &rank));
    DOES(MPI_Comm_size(other, &size));
    CHECK(size == n - (n > 1) && rank == n - 1 - me);
    DOES(MPI_Sendrecv(&word, 1, MPI_INT, (rank + 1) % size, 3, &got, 1, MPI_INT, MPI_ANY_SOURCE, 3,
                      other, &status));
    CHECK(status.MPI_SOURCE == (rank + size - 1) % size);
    CHECK(got == n - 1 - (rank + size - 1) % size);
    DOES(MPI_Bcast(&word, 1, MPI_INT, 0, other));
    CHECK(word == n - 1);
    DOES(MPI_Comm_compare(other, MPI_COMM_WORLD, &result));
    CHECK(result == (n == 1 ? MPI_CONGRUENT : MPI_UNEQUAL));
    DOES(MPI_Comm_dup(other, &dup));
    DOES(MPI_Comm_compare(other, dup, &result));
    CHECK(result == MPI_CONGRUENT);
    DOES(MPI_Comm_compare(other, other, &result));
    CHECK(result == MPI_IDENT);
    DOES(MPI_Comm_free(&other));
    CHECK(other == MPI_COMM_NULL);
    DOES(MPI_Barrier(dup));
    DOES(MPI_Comm_free(&dup));
  }
  DOES(MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &other));
  CHECK(other == MPI_COMM_NULL);
}

/* A message meets no receive of another communicator, nor a collective. */
apart()
{
  MPI_Comm dup;
  int one = 1, two = 2, got = 0, sum = 0;
  MPI_Request request;

  DOES(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
  DOES(MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, dup, &request));
  DOES(MPI_Send(&one, 1, MPI_INT, (me + 1) % n, 0, MPI_COMM_WORLD));
  DOES(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, dup));
  CHECK(sum == n && got != one);
  DOES(MPI_Send(&two, 1, MPI_INT, (me + 1) % n, 0, dup));
  /* Freed while a receive of it is under way. */
  DOES(MPI_Comm_free(&dup));
  DOES(MPI_Wait(&request, MPI_STATUS_IGNORE));
  CHECK(got == 2);
  DOES(MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  CHECK(got == 1);
}

parts()
{
  MPI_Comm part, none;
  int rank, size, i, word;
  char name[MPI_MAX_OBJECT_NAME];

  for (i = 0; i < 3; i++) {
    DOES(MPI_Comm_split(MPI_COMM_WORLD, me % 3, -me, &part));
    DOES(MPI_Comm_rank(part, &rank));
    DOES(MPI_Comm_size(part, &size));
    CHECK(size == (n + 2 - me % 3) / 3 && rank == size - 1 - me / 3);
    word = me;
    DOES(MPI_Bcast(&word, 1, MPI_INT, size - 1, part));
    CHECK(word == me % 3);
    DOES(MPI_Comm_set_name(part, "a part"));
    DOES(MPI_Comm_get_name(part, name, &size));
    CHECK(!strcmp(name, "a part") && size == 6);
    DOES(MPI_Comm_free(&part));
  }
  DOES(MPI_Comm_split(MPI_COMM_WORLD, me ? MPI_UNDEFINED : 0, 0, &none));
  CHECK(me ? none == MPI_COMM_NULL : none != MPI_COMM_NULL);
  part = MPI_COMM_WORLD;
  FAILS(MPI_Comm_free(&part), MPI_ERR_COMM);
  MPICH_TAKES(FAILS(MPI_Comm_split(MPI_COMM_WORLD, -1, 0, &none), MPI_ERR_ARG));
  FAILS(MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_NULL, &none), MPI_ERR_GROUP);
  MPICH_TAKES(FAILS(MPI_Comm_remote_size(MPI_COMM_WORLD, &i), MPI_ERR_COMM));
}

main(argc, argv)
int argc;
char **argv;
{
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  DOES(MPI_Comm_group(MPI_COMM_WORLD, &world));
  CHECK(rank_in(world) == me && size_of(world) == n);
  if (n > 1) sets();
  communicators();
  apart();
  parts();
  MPI_Finalize();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
