/* Ends by what its argument says: windows that lock each other out, or an operation in no epoch. */
#include "mpi_check.h"

int main(int argc, char **argv)
{
  int me, n, memory[16] = {0};
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  if (strcmp(argv[1], "allocated") == 0) {
    int *given;
    MPI_Win_allocate(sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &given, &win);
  } else {
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  }
  if (strcmp(argv[1], "no-epoch") != 0) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, (me + 1) % n, 0, win);
  } else if (me == 1 && argc > 2) {
    float one = 1;
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Accumulate(&one, 1, MPI_FLOAT, 0, 0, 1, MPI_FLOAT, MPI_BAND, win);
  } else if (me == 1) {
    MPI_Win_set_name(win, "grid");
    MPI_Put(&me, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  } else {
    MPI_Win_fence(0, win);
  }
  puts("it went on");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
