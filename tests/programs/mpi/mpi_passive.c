/* SPDX-License-Identifier: BSD-3-Clause */
/* The target of one-sided operations is in no call of MPI until it has seen them all in its memory;
 * ranks in between read and lock there meanwhile. Not for fibers: who calls nothing lets no other run. */
#include <time.h>

#include "mpi_check.h"

int main(int argc, char **argv)
{
  int me, n;
  long one = 1, seen;
  long volatile *memory;
  MPI_Win win;
  DOES(MPI_Init(&argc, &argv));
  DOES(MPI_Comm_rank(MPI_COMM_WORLD, &me));
  DOES(MPI_Comm_size(MPI_COMM_WORLD, &n));
  DOES(MPI_Win_allocate(2 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
  memory[0] = memory[1] = 0;
  DOES(MPI_Barrier(MPI_COMM_WORLD));
  if (me == 0) {
    time_t const begin = time(NULL);
    while (__atomic_load_n(&memory[0], __ATOMIC_ACQUIRE) < n - 1) CHECK(time(NULL) - begin < 60);
    CHECK(memory[1] == 7);
  } else {
    DOES(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
    seen = 7;
    DOES(MPI_Put(&seen, 1, MPI_LONG, 0, 1, 1, MPI_LONG, win));
    DOES(MPI_Win_flush(0, win));
    DOES(MPI_Accumulate(&one, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, win));
    DOES(MPI_Win_unlock(0, win));
    DOES(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    DOES(MPI_Get(&seen, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win));
    DOES(MPI_Win_unlock(0, win));
    CHECK(1 <= seen && seen <= n - 1);
  }
  DOES(MPI_Win_free(&win));
  DOES(MPI_Finalize());
  puts("EARL-OK");
  return 0;
}
