/* Windows of memory that the members share: layouts, sizes, plain loads and stores, and operations. */
#include "mpi_check.h"

static int me, n;

static int *part_of(MPI_Win win, int rank, MPI_Aint size_wanted, int unit_wanted)
{
  MPI_Aint size;
  int unit, *base;
  DOES(MPI_Win_shared_query(win, rank, &size, &unit, &base));
  CHECK(size == size_wanted && unit == unit_wanted);
  return base;
}

/* Member i has i + 1 integers, one behind the other, and reads those of all. */
static void contiguous(void)
{
  int *mine, *all, i, k, *flavor, flag;
  MPI_Win win;
  DOES(MPI_Win_allocate_shared((me + 1) * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win));
  DOES(MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavor, &flag));
  CHECK(flag && *flavor == MPI_WIN_FLAVOR_SHARED);
  CHECK(part_of(win, me, (me + 1) * sizeof(int), sizeof(int)) == mine);
  all = part_of(win, 0, sizeof(int), sizeof(int));
  CHECK(mine == all + me * (me + 1) / 2);
  CHECK(part_of(win, MPI_PROC_NULL, sizeof(int), sizeof(int)) == all);
  DOES(MPI_Win_fence(0, win));
  for (i = 0; i <= me; i++) mine[i] = 100 * me + i;
  DOES(MPI_Win_fence(0, win));
  for (i = k = 0; i < n * (n + 1) / 2; i++) {
    int member = k, first = member * (member + 1) / 2;
    CHECK(all[i] == 100 * member + (i - first));
    if (i == first + member) k++;
  }
  DOES(MPI_Win_fence(0, win));
  DOES(MPI_Win_free(&win));
}

/* Odd members have nothing; the others write to the last of them that has, in turn. */
static void some_empty(void)
{
  int last = (n - 1) / 2 * 2, i;
  long *mine, *there;
  MPI_Aint size;
  int unit;
  MPI_Win win;
  DOES(MPI_Win_allocate_shared(me % 2 ? 0 : 64, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win));
  DOES(MPI_Win_shared_query(win, last, &size, &unit, &there));
  CHECK(size == 64 && unit == 8);
  if (n > 1) CHECK(part_of(win, 1, 0, 8) == NULL);
  DOES(MPI_Win_lock_all(MPI_MODE_NOCHECK, win));
  for (i = 0; i < n; i++) {
    if (i == me) there[i % 8] = me + 1;
    DOES(MPI_Win_sync(win));
    DOES(MPI_Barrier(MPI_COMM_WORLD));
    DOES(MPI_Win_sync(win));
    CHECK(there[i % 8] == i + 1);
  }
  DOES(MPI_Win_unlock_all(win));
  DOES(MPI_Win_free(&win));
}

static void all_empty(void)
{
  void *mine, *base;
  MPI_Aint size;
  int unit;
  MPI_Win win;
  DOES(MPI_Win_allocate_shared(0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win));
  DOES(MPI_Win_shared_query(win, MPI_PROC_NULL, &size, &unit, &base));
  CHECK(size == 0 && base == NULL);
  DOES(MPI_Win_free(&win));
}

/* Each member's memory on pages of its own. */
static void apart(void)
{
  char *mine, *there;
  MPI_Aint size;
  int unit, next = (me + 1) % n;
  MPI_Info info;
  MPI_Win win;
  DOES(MPI_Info_create(&info));
  DOES(MPI_Info_set(info, "alloc_shared_noncontig", "true"));
  DOES(MPI_Win_allocate_shared(3, 1, info, MPI_COMM_WORLD, &mine, &win));
  DOES(MPI_Info_free(&info));
  DOES(MPI_Win_shared_query(win, next, &size, &unit, &there));
  CHECK(size >= 3 && unit == 1);
  MPICH_DIFFERS(CHECK((size_t)(mine - (char *)0) % 4096 == 0);)
  DOES(MPI_Win_fence(0, win));
  there[2] = 'a' + me;
  DOES(MPI_Win_fence(0, win));
  CHECK(mine[2] == 'a' + (me + n - 1) % n);
  DOES(MPI_Win_free(&win));
}

/* Loads of a third member see the result of an operation. */
static void operations(void)
{
  int *mine, *there, one = 1, old;
  MPI_Win win, other;
  DOES(MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win));
  DOES(MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &there, &other));
  CHECK(mine != there);
  *mine = me, *there = -1;
  DOES(MPI_Win_fence(0, win));
  DOES(MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win));
  DOES(MPI_Get(&old, 1, MPI_INT, n - 1, 0, 1, MPI_INT, win));
  DOES(MPI_Win_fence(0, win));
  there = part_of(win, 0, sizeof(int), sizeof(int));
  CHECK(*there == n);
  CHECK(n > 1 ? old == n - 1 : old == 0 || old == 1);
  DOES(MPI_Win_free(&win));
  DOES(MPI_Win_free(&other));
}

static void of_a_host(void)
{
  MPI_Comm host;
  int *mine, size, rank;
  MPI_Win win;
  DOES(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -me, MPI_INFO_NULL, &host));
  DOES(MPI_Comm_size(host, &size));
  DOES(MPI_Comm_rank(host, &rank));
  CHECK(size == n && rank == n - 1 - me);
  DOES(MPI_Win_allocate_shared(rank == 0 ? 4 * n : 0, 4, MPI_INFO_NULL, host, &mine, &win));
  mine = part_of(win, 0, 4 * n, 4);
  DOES(MPI_Win_fence(0, win));
  mine[rank] = rank;
  DOES(MPI_Win_fence(0, win));
  CHECK(mine[me] == me && mine[n - 1] == n - 1);
  DOES(MPI_Win_free(&win));
  DOES(MPI_Comm_free(&host));
}

static void mistakes(void)
{
  int memory, *base, unit;
  MPI_Aint size;
  MPI_Win win;
  DOES(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  FAILS(MPI_Win_allocate_shared(-1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win), MPI_ERR_SIZE);
  FAILS(MPI_Win_allocate_shared(8, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win), MPI_ERR_DISP);
  DOES(MPI_Win_create(&memory, 4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  DOES(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
  FAILS(MPI_Win_shared_query(win, 0, &size, &unit, &base), MPI_ERR_RMA_FLAVOR);
  DOES(MPI_Win_free(&win));
  DOES(MPI_Win_allocate_shared(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
  DOES(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
  FAILS(MPI_Win_shared_query(win, n, &size, &unit, &base), MPI_ERR_RANK);
  DOES(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
  DOES(MPI_Init(&argc, &argv));
  DOES(MPI_Comm_rank(MPI_COMM_WORLD, &me));
  DOES(MPI_Comm_size(MPI_COMM_WORLD, &n));
  contiguous();
  some_empty();
  all_empty();
  apart();
  operations();
  of_a_host();
  mistakes();
  DOES(MPI_Finalize());
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
