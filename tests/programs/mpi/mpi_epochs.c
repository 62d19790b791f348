/* Windows whose epochs are started and posted, dynamic ones, and what belongs to a window. */
#include "mpi_check.h"

static int me, n, next, before;

/* Each writes to the next one, which has exposed its window to it alone. */
static void started(void)
{
  int memory[16], round, flag;
  MPI_Win win;
  MPI_Group all, to, from;
  DOES(MPI_Comm_group(MPI_COMM_WORLD, &all));
  DOES(MPI_Group_incl(all, 1, &next, &to));
  DOES(MPI_Group_incl(all, 1, &before, &from));
  DOES(MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  for (round = 0; round < 4; round++) {
    int value = 10 * me + round;
    DOES(MPI_Win_post(from, 0, win));
    DOES(MPI_Win_start(to, 0, win));
    DOES(MPI_Put(&value, 1, MPI_INT, next, round % 2, 1, MPI_INT, win));
    DOES(MPI_Win_complete(win));
    if (round < 2)
      DOES(MPI_Win_wait(win));
    else
      for (flag = 0; !flag;) DOES(MPI_Win_test(win, &flag));
    CHECK(memory[round % 2] == 10 * before + round);
  }
  DOES(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
  FAILS(MPI_Win_complete(win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_wait(win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_test(win, &flag), MPI_ERR_RMA_SYNC);
  MPICH_DIFFERS(FAILS(MPI_Win_start(MPI_GROUP_NULL, 0, win), MPI_ERR_GROUP);)
  DOES(MPI_Win_free(&win));
  DOES(MPI_Group_free(&from));
  DOES(MPI_Group_free(&to));
  DOES(MPI_Group_free(&all));
}

/* A process may expose its memory while it has locked another one's, but not its own. */
static void posted_with_a_lock(void)
{
  int memory[2] = {0, 0}, value = 10 * me + 1, several = 0;
  MPI_Win win;
  MPICH_DIFFERS(several = n > 2;) /* its MPI_Win_unlock fails behind MPI_Win_wait */
  MPI_Group all, to, from;
  DOES(MPI_Comm_group(MPI_COMM_WORLD, &all));
  DOES(MPI_Group_incl(all, 1, &next, &to));
  DOES(MPI_Group_incl(all, 1, &before, &from));
  DOES(MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  DOES(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
  DOES(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win));
  MPICH_TAKES(FAILS(MPI_Win_post(from, 0, win), MPI_ERR_RMA_SYNC);)
  DOES(MPI_Win_unlock(me, win));
  DOES(MPI_Barrier(MPI_COMM_WORLD));
  if (several && me == 0) {
    DOES(MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win));
    DOES(MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win));
    DOES(MPI_Win_post(from, 0, win));
    DOES(MPI_Win_wait(win));
    DOES(MPI_Win_unlock(1, win));
    CHECK(memory[0] == 10 * before + 1);
  } else if (several && me == n - 1) {
    DOES(MPI_Win_start(to, 0, win));
    DOES(MPI_Put(&value, 1, MPI_INT, next, 0, 1, MPI_INT, win));
    DOES(MPI_Win_complete(win));
  }
  DOES(MPI_Barrier(MPI_COMM_WORLD));
  if (several && me == 1) CHECK(memory[1] == 1);
  DOES(MPI_Win_free(&win));
  DOES(MPI_Group_free(&from));
  DOES(MPI_Group_free(&to));
  DOES(MPI_Group_free(&all));
}

/* Displacements are addresses. */
static void dynamic(void)
{
  int memory[4] = {0, 0, 0, 0}, value = me + 1, got = 0;
  MPI_Aint mine, theirs;
  MPI_Win win;
  DOES(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  DOES(MPI_Win_attach(win, memory, sizeof memory));
  MPICH_TAKES(DOES(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));)
  MPICH_TAKES(FAILS(MPI_Win_attach(win, memory + 1, sizeof *memory), MPI_ERR_RMA_ATTACH);)
  MPICH_TAKES(FAILS(MPI_Win_detach(win, memory + 1), MPI_ERR_RMA_ATTACH);)
  DOES(MPI_Get_address(memory, &mine));
  CHECK(MPI_Aint_diff(MPI_Aint_add(mine, 8), mine) == 8);
  DOES(MPI_Sendrecv(&mine, 1, MPI_AINT, before, 0, &theirs, 1, MPI_AINT, next, 0, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
  DOES(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win));
  DOES(MPI_Put(&value, 1, MPI_INT, next, MPI_Aint_add(theirs, 2 * sizeof(int)), 1, MPI_INT, win));
  DOES(MPI_Win_flush(next, win));
  DOES(MPI_Get(&got, 1, MPI_INT, next, theirs + 2 * (MPI_Aint)sizeof(int), 1, MPI_INT, win));
  DOES(MPI_Win_unlock(next, win));
  CHECK(got == value);
  DOES(MPI_Barrier(MPI_COMM_WORLD));
  CHECK(memory[2] == before + 1 && memory[1] == 0);
  DOES(MPI_Win_detach(win, memory));
  DOES(MPI_Win_free(&win));
}

static void alone(void)
{
  int *memory, *base, unit;
  MPI_Aint size;
  MPI_Win win;
  DOES(MPI_Win_allocate_shared(8, 4, MPI_INFO_NULL, MPI_COMM_SELF, &memory, &win));
  DOES(MPI_Win_shared_query(win, 0, &size, &unit, &base));
  CHECK(size >= 8 && unit == 4 && base == memory);
  DOES(MPI_Win_free(&win));
}

static int deleted, called;
static MPI_Win called_with;

static int on_delete(MPI_Win win, int keyval, void *attribute, void *extra)
{
  deleted += attribute == (void *)&deleted && extra == (void *)&called;
  return MPI_SUCCESS;
}

static void on_error(MPI_Win *win, int *code, ...)
{
  called++;
  called_with = *win;
}

static void belongings(void)
{
  int memory = 0, key, flag, keys;
  void *value;
  char text[10];
  MPI_Errhandler handler, now;
  MPI_Info info, used;
  MPI_Win win;
  DOES(MPI_Info_create(&info));
  DOES(MPI_Info_set(info, "earl_test", "1"));
  DOES(MPI_Info_set(info, "same_size", "true"));
  DOES(MPI_Win_create(&memory, sizeof memory, 1, info, MPI_COMM_WORLD, &win));
  /* Keys that say nothing about windows are ignored; the others are there with their values. */
  DOES(MPI_Win_get_info(win, &used));
  DOES(MPI_Info_get(used, "earl_test", 9, text, &flag));
  CHECK(!flag);
  DOES(MPI_Info_get(used, "same_size", 9, text, &flag));
  CHECK(flag && strcmp(text, "true") == 0);
  DOES(MPI_Info_get(used, "no_locks", 9, text, &flag));
  CHECK(flag && strcmp(text, "false") == 0);
  DOES(MPI_Info_get_nkeys(used, &keys));
  CHECK(keys >= 5);
  DOES(MPI_Info_free(&used));
  /* Those that are not given stay. */
  DOES(MPI_Info_delete(info, "same_size"));
  DOES(MPI_Info_set(info, "same_disp_unit", "true"));
  DOES(MPI_Info_set(info, "no_locks", "perhaps"));
  DOES(MPI_Win_set_info(win, info));
  DOES(MPI_Info_free(&info));
  DOES(MPI_Win_get_info(win, &used));
  DOES(MPI_Info_get(used, "same_size", 9, text, &flag));
  CHECK(flag && strcmp(text, "true") == 0);
  MPICH_DIFFERS(DOES(MPI_Info_get(used, "same_disp_unit", 9, text, &flag));)
  MPICH_DIFFERS(CHECK(flag && strcmp(text, "true") == 0);)
  DOES(MPI_Info_get(used, "no_locks", 9, text, &flag));
  CHECK(flag && strcmp(text, "false") == 0);
  DOES(MPI_Info_free(&used));

  DOES(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, on_delete, &key, &called));
  DOES(MPI_Win_get_attr(win, key, &value, &flag));
  CHECK(!flag);
  DOES(MPI_Win_set_attr(win, key, &deleted));
  DOES(MPI_Win_get_attr(win, key, &value, &flag));
  CHECK(flag && value == &deleted);
  deleted = 0;
  DOES(MPI_Win_delete_attr(win, key));
  CHECK(deleted == 1);
  DOES(MPI_Win_set_attr(win, key, &deleted));
  DOES(MPI_Win_free_keyval(&key));
  CHECK(key == MPI_KEYVAL_INVALID);

  DOES(MPI_Win_create_errhandler(on_error, &handler));
  DOES(MPI_Win_set_errhandler(win, handler));
  DOES(MPI_Win_get_errhandler(win, &now));
  CHECK(now == handler);
  called = 0;
  FAILS(MPI_Put(&memory, 1, MPI_INT, n, 0, 1, MPI_INT, win), MPI_ERR_RANK);
  CHECK(called == 1 && called_with == win);
  MPI_Win_call_errhandler(win, MPI_ERR_OTHER);
  CHECK(called == 2);
  DOES(MPI_Errhandler_free(&now));
  DOES(MPI_Errhandler_free(&handler));
  DOES(MPI_Win_free(&win));
  CHECK(deleted == 2);
}

int main(int argc, char **argv)
{
  DOES(MPI_Init(&argc, &argv));
  DOES(MPI_Comm_rank(MPI_COMM_WORLD, &me));
  DOES(MPI_Comm_size(MPI_COMM_WORLD, &n));
  DOES(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  next = (me + 1) % n, before = (me + n - 1) % n;
  started();
  posted_with_a_lock();
  dynamic();
  alone();
  belongings();
  DOES(MPI_Finalize());
  puts("EARL-OK");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
