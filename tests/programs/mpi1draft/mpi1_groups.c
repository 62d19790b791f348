/* Groups: cut, listed, made the context, nested, freed. Table 1 of the proposal, among others. */
#include "mpi1_check.h"

int me, n, half, upper;

/* In each half, 1 sends to 3 and the others see nothing of it. */
table_1()
{
  int value = me, list[8], id;

  CHECK(MPI_INFOG(half, 8, list) == n / 2 && list[0] == (upper ? n / 2 : 0));
  CHECK(MPI_GETID(half) == me % (n / 2) && half != ALL);
  id = MPI_CRECV("nonblocking", &value, me, 1, 4);
  FAILS(MPI_PUSHG(half), 16);
  MPI_CSEND("blocking", &me, me, 1, 4);
  MPI_WAIT(id);
  CHECK(MPI_PUSHG(half) == n / 2);
  CHECK(MPI_GETID(ALL) == me % (n / 2) && MPI_INFOG(ALL, 8, list) == n / 2 && list[1] == 1);
  if (MPI_GETID(ALL) == 1) MPI_CSEND("blocking", &me, 3, 5, 4);
  if (MPI_GETID(ALL) == 3) {
    CHECK(MPI_CRECV("blocking", &value, 1, 5, 4) == 4 && value == me - 2 && MPI_INFOS() == 1);
  }
  FAILS(MPI_CSEND("blocking", &me, n / 2, 5, 4), 5);
  CHECK(MPI_POPG() == ALL);
}

/* Three deep, and objects made inside end with it. */
nested()
{
  int pair, one, outer = MPI_PARTG(ALL, me / 4);

  CHECK(MPI_PUSHG(half) == n / 2);
  FAILS(MPI_PUSHG(outer), 2);
  FAILS(MPI_GETID(outer), 2);
  pair = MPI_PARTG(ALL, MPI_GETID(ALL) / 2);
  CHECK(MPI_PUSHG(pair) == 2 && MPI_GETID(ALL) == me % 2);
  one = MPI_PARTG(ALL, MPI_GETID(ALL));
  CHECK(MPI_PUSHG(one) == 1 && MPI_POPG() == pair && MPI_SYNCG(one) == 0);
  CHECK(MPI_POPG() == half);
  FAILS(MPI_INFOG(one, 0, (int *)0), 2);
  CHECK(MPI_SYNCG(pair) == 0 && MPI_POPG() == ALL);
  FAILS(MPI_SYNCG(pair), 2);
  FAILS(MPI_POPG(), 17);
  CHECK(MPI_FREEG(outer) == 0);
  FAILS(MPI_FREEG(outer), 2);
}

/* The list's order is the group's; only those listed call. */
listed()
{
  static int list[3] = {3, 0, 2}, others[3] = {0, 3, 2}, twice[2] = {0, 0}, without[1] = {1};
  int got[3], gid;

  if (me == 0 || me == 2 || me == 3) {
    gid = MPI_DEFNG(3, list);
    CHECK(gid > 1 && MPI_GETID(gid) == (me == 3 ? 0 : me == 0 ? 1 : 2));
    CHECK(MPI_INFOG(gid, 2, got) == 3 && got[0] == 3 && got[1] == 0);
    CHECK(MPI_DEFNG(3, list) != gid);
    FAILS(MPI_DEFNG(3, me == 0 ? others : list), 1); /* they do not agree */
    if (me == 0) FAILS(MPI_DEFNG(2, twice), 1);
    if (me == 0) FAILS(MPI_DEFNG(1, without), 1);
  } else
    CHECK(MPI_GETID(12345) == -1 && MPI_ERROR() == 0);
}

main()
{
  me = MPI_GETID(ALL);
  n = EVERYBODY;
  upper = me >= n / 2;
  half = MPI_PARTG(ALL, upper);
  CHECK(MPI_ERROR() == 0);
  table_1();
  nested();
  listed();
  CHECK(MPI_PUSHG(ALL) == n && MPI_POPG() == ALL);
  FAILS(MPI_GETID(0), 2);
  FAILS(MPI_FREEG(ALL), 2);
  MPI_SYNCG(ALL);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
