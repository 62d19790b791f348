/* Windows that are locked: exclusive sections, counters, swaps, requests, and all at once. */
#include "mpi_check.h"

static int me, n, next;

/* Each adds to what it has read: only one may be between the two. */
static void sections(void)
{
  int count[16] = {0}, i, seen;
  MPI_Win win;
  DOES(MPI_Win_create(count, sizeof count, sizeof *count, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  for (i = 0; i < 10; i++) {
    DOES(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
    DOES(MPI_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
    DOES(MPI_Win_flush(0, win));
    seen++;
    DOES(MPI_Put(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
    DOES(MPI_Win_unlock(0, win));
  }
  DOES(MPI_Barrier(MPI_COMM_WORLD));
  DOES(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
  DOES(MPI_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
  DOES(MPI_Win_unlock(0, win));
  CHECK(seen == 10 * n);
  DOES(MPI_Win_free(&win));
}

/* Tickets: none twice; the sum says that all were given. */
static void tickets(void)
{
  int *memory, ticket, one = 1, i, sum = 0, all, zero = 0, old, mine, swapped = 0;
  MPI_Win win;
  DOES(MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
  DOES(MPI_Win_lock_all(0, win));
  memset(memory, 0, 4 * sizeof(int));
  DOES(MPI_Win_sync(win));
  DOES(MPI_Barrier(MPI_COMM_WORLD));
  for (i = 0; i < 5; i++) {
    DOES(MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 0, MPI_SUM, win));
    DOES(MPI_Win_flush(0, win));
    CHECK(0 <= ticket && ticket < 5 * n);
    sum += ticket;
  }
  DOES(MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  CHECK(all == 5 * n * (5 * n - 1) / 2);

  /* One of all wins. */
  mine = me + 1;
  DOES(MPI_Compare_and_swap(&mine, &zero, &old, MPI_INT, n - 1, 1, win));
  DOES(MPI_Win_flush_all(win));
  swapped = old == 0;
  DOES(MPI_Allreduce(&swapped, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  CHECK(all == 1);
  DOES(MPI_Fetch_and_op(NULL, &old, MPI_INT, n - 1, 1, MPI_NO_OP, win));
  DOES(MPI_Win_flush_local(n - 1, win));
  CHECK(1 <= old && old <= n && (!swapped || old == mine));
  DOES(MPI_Barrier(MPI_COMM_WORLD));

  /* Neighbours: what was there comes back. */
  mine = 50 + me;
  DOES(MPI_Fetch_and_op(&mine, &old, MPI_INT, next, 2, MPI_REPLACE, win));
  DOES(MPI_Win_flush_local_all(win));
  CHECK(old == 0);
  DOES(MPI_Barrier(MPI_COMM_WORLD));
  CHECK(memory[2] == 50 + (me + n - 1) % n);
  DOES(MPI_Win_unlock_all(win));
  DOES(MPI_Win_free(&win));
}

static void requests(void)
{
  double memory[6], in[2], out[2] = {2, 3}, old[2];
  int i, flag = 0;
  MPI_Request all[3];
  MPI_Status statuses[3];
  MPI_Win win;
  for (i = 0; i < 6; i++) memory[i] = i;
  DOES(MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  DOES(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win));
  DOES(MPI_Rput(out, 2, MPI_DOUBLE, next, 0, 2, MPI_DOUBLE, win, &all[0]));
  DOES(MPI_Rget(in, 2, MPI_DOUBLE, next, 2, 2, MPI_DOUBLE, win, &all[1]));
  DOES(MPI_Rget_accumulate(out, 2, MPI_DOUBLE, old, 2, MPI_DOUBLE, next, 4, 2, MPI_DOUBLE, MPI_PROD, win, &all[2]));
  DOES(MPI_Waitall(3, all, statuses));
  CHECK(in[0] == 2 && in[1] == 3 && old[0] == 4 && old[1] == 5);
  DOES(MPI_Raccumulate(out, 2, MPI_DOUBLE, next, 4, 2, MPI_DOUBLE, MPI_SUM, win, &all[0]));
  DOES(MPI_Wait(&all[0], MPI_STATUS_IGNORE));
  DOES(MPI_Get_accumulate(out, 0, MPI_DOUBLE, old, 2, MPI_DOUBLE, next, 4, 2, MPI_DOUBLE, MPI_NO_OP, win));
  DOES(MPI_Win_flush(next, win));
  CHECK(old[0] == 10 && old[1] == 18);
  DOES(MPI_Rget(in, 1, MPI_DOUBLE, next, 0, 1, MPI_DOUBLE, win, &all[1]));
  while (!flag) DOES(MPI_Test(&all[1], &flag, MPI_STATUS_IGNORE));
  CHECK(in[0] == 2);
  DOES(MPI_Win_unlock(next, win));
  DOES(MPI_Barrier(MPI_COMM_WORLD));
  CHECK(memory[0] == 2 && memory[1] == 3 && memory[4] == 10 && memory[5] == 18);
  DOES(MPI_Win_free(&win));
}

/* A flush and an unlock complete operations that have requests, too: the data are there, and the memory may be used
 * again before MPI_Wait. Longer than what travels at once. */
static void completed_by_others(void)
{
  enum { items = 1 << 19 };
  int *memory = malloc(items * sizeof(int)), *in = malloc(items * sizeof(int)), *zeros = calloc(items, sizeof(int));
  int form, i, flag;
  MPI_Request request;
  MPI_Status status;
  MPI_Win win;
  for (i = 0; i < items; i++) memory[i] = 7 * me + i;
  DOES(MPI_Win_create(memory, items * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  for (form = 0; form < 6; form++) {
    int const all = form % 3 == 2;
    for (i = 0; i < items; i++) in[i] = -1;
    if (all)
      DOES(MPI_Win_lock_all(0, win));
    else
      DOES(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win));
    if (form < 3)
      DOES(MPI_Rget(in, items, MPI_INT, next, 0, items, MPI_INT, win, &request));
    else
      DOES(MPI_Rget_accumulate(zeros, items, MPI_INT, in, items, MPI_INT, next, 0, items, MPI_INT, MPI_SUM, win, &request));
    if (form % 3 == 1) DOES(MPI_Win_flush(next, win));
    if (all) DOES(MPI_Win_flush_local_all(win));
#ifndef NATIVE /* on a busy host MPICH 4.0 returns from a flush before the data are there */
    if (form % 3 != 0)
      for (i = 0; i < items; i++) CHECK(in[i] == 7 * next + i);
#endif
    if (all)
      DOES(MPI_Win_unlock_all(win));
    else
      DOES(MPI_Win_unlock(next, win));
    for (i = 0; i < items; i++) CHECK(in[i] == 7 * next + i);
    in[0] = in[items - 1] = -2;
    if (form % 2) {
      DOES(MPI_Test(&request, &flag, &status));
      CHECK(flag);
    } else {
      DOES(MPI_Wait(&request, &status));
    }
    CHECK(request == MPI_REQUEST_NULL && in[0] == -2 && in[items - 1] == -2);
  }
  DOES(MPI_Win_free(&win));
  free(memory), free(in), free(zeros);
}

/* A process that waits in any call serves. */
static void served_elsewhere(void)
{
  int memory[16], got = -1, token = 0;
  MPI_Win win;
  memory[0] = me;
  DOES(MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  if (me == n - 1) {
    DOES(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
    DOES(MPI_Get(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
    DOES(MPI_Win_unlock(0, win));
    CHECK(got == 0);
    if (n > 1) DOES(MPI_Send(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD));
  } else if (me == 0) {
    DOES(MPI_Recv(&token, 1, MPI_INT, n - 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  }
  DOES(MPI_Win_free(&win));
}

/* So does one whose calls are all about its own window. */
static void served_meanwhile(void)
{
  int *memory, one = 1, count = 0;
  MPI_Win win;
  DOES(MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
  *memory = 0;
  DOES(MPI_Barrier(MPI_COMM_WORLD));
  if (me == 0) {
    while (count < n - 1) {
      DOES(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
      DOES(MPI_Fetch_and_op(NULL, &count, MPI_INT, 0, 0, MPI_NO_OP, win));
      DOES(MPI_Win_unlock(0, win));
    }
  } else {
    DOES(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
    DOES(MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win));
    DOES(MPI_Win_unlock(0, win));
  }
  DOES(MPI_Win_free(&win));
}

/* With MPI_MODE_NOCHECK no lock is taken: OpenCoarrays waits so for events, which others post under
 * exclusive locks. */
static void unchecked(void)
{
  int volatile *memory;
  int one = 1, i, old = -1;
  MPI_Win win;
  DOES(MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
  memory[0] = memory[1] = 0;
  DOES(MPI_Barrier(MPI_COMM_WORLD));
  if (me == 0) {
    DOES(MPI_Win_lock_all(MPI_MODE_NOCHECK, win));
    DOES(MPI_Barrier(MPI_COMM_WORLD));
    while (memory[0] < n - 1) {
      DOES(MPI_Win_sync(win));
      DOES(MPI_Win_flush(0, win));
    }
    for (i = 0; i < n; i++) {
      DOES(MPI_Fetch_and_op(&one, &old, MPI_INT, i, 1, MPI_SUM, win));
      DOES(MPI_Win_flush(i, win));
      MPICH_DIFFERS(CHECK(old == 0);) /* some count twice there */
    }
    DOES(MPI_Win_unlock_all(win));
  } else {
    DOES(MPI_Barrier(MPI_COMM_WORLD));
    DOES(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
    DOES(MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win));
    DOES(MPI_Win_unlock(0, win));
  }
  DOES(MPI_Barrier(MPI_COMM_WORLD));
  MPICH_DIFFERS(CHECK(memory[1] == 1);)
  DOES(MPI_Win_lock(MPI_LOCK_SHARED, next, MPI_MODE_NOCHECK, win));
  DOES(MPI_Get(&old, 1, MPI_INT, next, 1, 1, MPI_INT, win));
  DOES(MPI_Win_unlock(next, win));
  MPICH_DIFFERS(CHECK(old == 1);)
  DOES(MPI_Win_free(&win));
}

static void errors(void)
{
  int memory = 0, one = 1, old;
  long double real = 0;
  MPI_Win win;
  DOES(MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  DOES(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
  MPICH_DIFFERS(FAILS(MPI_Win_lock(7, 0, 0, win), MPI_ERR_LOCKTYPE);)
  FAILS(MPI_Win_lock(MPI_LOCK_SHARED, n, 0, win), MPI_ERR_RANK);
  FAILS(MPI_Win_unlock(0, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_unlock_all(win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_flush(0, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_flush_all(win), MPI_ERR_RMA_SYNC);
  DOES(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win));
  FAILS(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_free(&win), MPI_ERR_RMA_SYNC);
  DOES(MPI_Compare_and_swap(&one, &memory, &old, MPI_CHAR, me, 0, win));
  DOES(MPI_Compare_and_swap(&one, &memory, &old, MPI_BYTE, me, 0, win));
  DOES(MPI_Compare_and_swap(&one, &memory, &old, MPI_C_BOOL, me, 0, win));
  DOES(MPI_Compare_and_swap(&one, &memory, &old, MPI_INTEGER, me, 0, win));
  DOES(MPI_Compare_and_swap(&one, &memory, &old, MPI_LOGICAL, me, 0, win));
  FAILS(MPI_Compare_and_swap(&real, &real, &real, MPI_FLOAT, me, 0, win), MPI_ERR_TYPE);
  FAILS(MPI_Compare_and_swap(&real, &real, &real, MPI_DOUBLE, me, 0, win), MPI_ERR_TYPE);
  FAILS(MPI_Compare_and_swap(&real, &real, &real, MPI_LONG_DOUBLE, me, 0, win), MPI_ERR_TYPE);
  FAILS(MPI_Compare_and_swap(&real, &real, &real, MPI_2INT, me, 0, win), MPI_ERR_TYPE);
  DOES(MPI_Win_unlock(me, win));
  DOES(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
  DOES(MPI_Init(&argc, &argv));
  DOES(MPI_Comm_rank(MPI_COMM_WORLD, &me));
  DOES(MPI_Comm_size(MPI_COMM_WORLD, &n));
  DOES(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  next = (me + 1) % n;
  sections();
  tickets();
  requests();
  completed_by_others();
  served_elsewhere();
  served_meanwhile();
  unchecked();
  errors();
  DOES(MPI_Finalize());
  puts("EARL-OK");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
