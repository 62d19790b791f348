/* Windows with fences: put, get and accumulate, of plain and of derived datatypes, and errors. */
#include "mpi_check.h"

static int me, n, next, before;

static void plain(void)
{
  int memory[8], got[2] = {-1, -1}, mine = 100, i;
  double sum[2] = {0, 0}, part[2];
  MPI_Win win, sums;
  MPI_Aint *size;
  int *unit, *flavor, *model, flag, length;
  void *base;
  char name[MPI_MAX_OBJECT_NAME];
  MPI_Group group;
  for (i = 0; i < 8; i++) memory[i] = 10 * me + i;
  DOES(MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  DOES(MPI_Win_create(sum, sizeof sum, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &sums));

  DOES(MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag));
  CHECK(flag && base == memory);
  DOES(MPI_Win_get_attr(win, MPI_WIN_SIZE, &size, &flag));
  CHECK(flag && *size == sizeof memory);
  DOES(MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &flag));
  CHECK(flag && *unit == sizeof(int));
  DOES(MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavor, &flag));
  CHECK(flag && *flavor == MPI_WIN_FLAVOR_CREATE);
  DOES(MPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &flag));
  CHECK(flag && *model == MPI_WIN_UNIFIED);
  DOES(MPI_Win_get_group(win, &group));
  DOES(MPI_Group_size(group, &length));
  CHECK(length == n);
  DOES(MPI_Group_free(&group));
  DOES(MPI_Win_set_name(win, "grid"));
  DOES(MPI_Win_get_name(win, name, &length));
  CHECK(length == 4 && strcmp(name, "grid") == 0);

  DOES(MPI_Win_fence(MPI_MODE_NOPRECEDE, win));
  DOES(MPI_Put(&me, 1, MPI_INT, next, 0, 1, MPI_INT, win));
  DOES(MPI_Put(&mine, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win));
  DOES(MPI_Get(got, 2, MPI_INT, next, 6, 2, MPI_INT, win));
  DOES(MPI_Win_fence(0, win));
  CHECK(memory[0] == before && got[0] == 10 * next + 6 && got[1] == 10 * next + 7);
  DOES(MPI_Put(&mine, 1, MPI_INT, me, 3, 1, MPI_INT, win));
  DOES(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
  CHECK(memory[3] == 100 && memory[1] == 10 * me + 1);

  DOES(MPI_Win_fence(0, sums));
  part[0] = me + 1, part[1] = 0.5;
  for (i = 0; i < n; i++) DOES(MPI_Accumulate(part, 2, MPI_DOUBLE, i, 0, 2, MPI_DOUBLE, MPI_SUM, sums));
  DOES(MPI_Win_fence(0, sums));
  CHECK(sum[0] == n * (n + 1) / 2 && sum[1] == 0.5 * n);
  DOES(MPI_Accumulate(part, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, MPI_MAX, sums));
  DOES(MPI_Win_fence(0, sums));
  if (me == 0) CHECK(sum[1] == n || sum[1] == 0.5 * n);
  DOES(MPI_Win_free(&sums));
  DOES(MPI_Win_free(&win));
  CHECK(win == MPI_WIN_NULL);
}

/* A column of the target becomes a row of the origin, and back. */
static void derived(void)
{
  enum { rows = 4, columns = 5 };
  int *grid, copy[rows * columns], row[rows], i, j;
  MPI_Win win;
  MPI_Datatype column;
  DOES(MPI_Win_allocate(rows * columns * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &grid, &win));
  DOES(MPI_Type_vector(rows, 1, columns, MPI_INT, &column));
  DOES(MPI_Type_commit(&column));
  for (i = 0; i < rows * columns; i++) grid[i] = 100 * me + i;
  DOES(MPI_Win_fence(0, win));
  DOES(MPI_Get(row, rows, MPI_INT, next, 2, 1, column, win));
  DOES(MPI_Win_fence(0, win));
  for (i = 0; i < rows; i++) CHECK(row[i] == 100 * next + columns * i + 2);
  for (i = 0; i < rows; i++) row[i] = 1000 * me + i;
  DOES(MPI_Put(row, rows, MPI_INT, next, 1, 1, column, win));
  DOES(MPI_Win_fence(0, win));
  for (i = 0; i < rows; i++)
    for (j = 0; j < columns; j++)
      CHECK(grid[i * columns + j] == (j == 1 ? 1000 * before + i : 100 * me + i * columns + j));
  memcpy(copy, grid, sizeof copy);
  DOES(MPI_Win_fence(0, win));
  DOES(MPI_Accumulate(copy, 1, column, next, 0, 1, column, MPI_REPLACE, win));
  DOES(MPI_Win_fence(0, win));
  for (i = 0; i < rows; i++) CHECK(grid[i * columns] == 100 * before + i * columns);
  DOES(MPI_Accumulate(row, rows, MPI_INT, next, 4, 1, column, MPI_SUM, win));
  DOES(MPI_Win_fence(0, win));
  for (i = 0; i < rows; i++)
    CHECK(grid[i * columns + 4] == 100 * me + i * columns + 4 + 1000 * before + i);
  DOES(MPI_Type_free(&column));
  DOES(MPI_Win_free(&win));
}

/* Longer than what travels at once, from all sides. */
static void large(void)
{
  enum { items = 40000 };
  int *memory, *data = malloc(items * sizeof(int)), *back = malloc(items * sizeof(int)), i;
  MPI_Win win;
  DOES(MPI_Win_allocate(2 * items * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
  for (i = 0; i < items; i++) data[i] = me * items + i;
  for (i = 0; i < 2 * items; i++) memory[i] = i;
  DOES(MPI_Win_fence(0, win));
  DOES(MPI_Put(data, items, MPI_INT, next, 0, items, MPI_INT, win));
  DOES(MPI_Get(back, items, MPI_INT, next, items, items, MPI_INT, win));
  DOES(MPI_Win_fence(0, win));
  for (i = 0; i < items; i++) CHECK(back[i] == items + i);
  for (i = 0; i < items; i++) CHECK(memory[i] == before * items + i);
  DOES(MPI_Win_free(&win));
  free(data), free(back);
}

static void errors(void)
{
  int memory[4] = {0, 0, 0, 0}, one = 1;
  MPI_Win win;
  MPI_Errhandler now;
  DOES(MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  DOES(MPI_Win_get_errhandler(win, &now));
  CHECK(now == MPI_ERRORS_ARE_FATAL);
  DOES(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
  FAILS(MPI_Put(&one, 1, MPI_INT, next, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
  MPICH_DIFFERS(FAILS(MPI_Win_fence(1, win), MPI_ERR_ASSERT);)
  DOES(MPI_Win_fence(0, win));
  FAILS(MPI_Put(&one, -1, MPI_INT, next, 0, 1, MPI_INT, win), MPI_ERR_COUNT);
  FAILS(MPI_Put(&one, 1, MPI_DATATYPE_NULL, next, 0, 1, MPI_INT, win), MPI_ERR_TYPE);
  FAILS(MPI_Put(&one, 1, MPI_INT, n, 0, 1, MPI_INT, win), MPI_ERR_RANK);
  FAILS(MPI_Put(&one, 1, MPI_INT, next, -1, 1, MPI_INT, win), MPI_ERR_DISP);
  MPICH_TAKES(FAILS(MPI_Put(&one, 1, MPI_INT, next, 4, 1, MPI_INT, win), MPI_ERR_RMA_RANGE);)
  MPICH_TAKES(FAILS(MPI_Get(&one, 1, MPI_INT, next, 1L << 61, 1, MPI_INT, win), MPI_ERR_RMA_RANGE);)
  MPICH_DIFFERS(FAILS(MPI_Put(&one, 1, MPI_INT, next, 0, 2, MPI_INT, win), MPI_ERR_ARG);)
  FAILS(MPI_Accumulate(&one, 1, MPI_INT, next, 0, 1, MPI_INT, MPI_OP_NULL, win), MPI_ERR_OP);
  FAILS(MPI_Put(&one, 1, MPI_INT, next, 0, 1, MPI_INT, MPI_WIN_NULL), MPI_ERR_WIN);
  FAILS(MPI_Win_fence(0, (MPI_Win)MPI_COMM_WORLD), MPI_ERR_WIN);
  DOES(MPI_Put(&one, 1, MPI_INT, next, 0, 1, MPI_INT, win));
  FAILS(MPI_Win_free(&win), MPI_ERR_RMA_SYNC);
  DOES(MPI_Win_fence(0, win));
  FAILS(MPI_Win_create(memory, -1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win), MPI_ERR_SIZE);
  MPICH_DIFFERS(FAILS(MPI_Win_create(memory, 4, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &win), MPI_ERR_DISP);)
  MPICH_DIFFERS(FAILS(MPI_Win_create(NULL, 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win), MPI_ERR_BASE);)
  FAILS(MPI_Win_create(memory, 4, 1, MPI_INFO_NULL, MPI_COMM_NULL, &win), MPI_ERR_COMM);
  DOES(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
  DOES(MPI_Init(&argc, &argv));
  DOES(MPI_Comm_rank(MPI_COMM_WORLD, &me));
  DOES(MPI_Comm_size(MPI_COMM_WORLD, &n));
  DOES(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  next = (me + 1) % n, before = (me + n - 1) % n;
  plain();
  derived();
  large();
  errors();
  DOES(MPI_Finalize());
  puts("EARL-OK");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
