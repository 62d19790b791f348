/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows that are locked, by three processes, whose third one sleeps; waits for other calls. */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

static int me, memory[4], got;
static MPI_Win win;

/* The first two lock each other out. */
static void apart(void)
{
  if (me == 2) {
    for (;;) sleep(1);
  }
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, win);
  MPI_Sendrecv(&me, 1, MPI_INT, 1 - me, 5, &got, 1, MPI_INT, 1 - me, 5, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - me, 0, win);
}

/* The third one has the lock that the first waits for, and gives it back. */
static void lent(void)
{
  if (me == 2) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Send(&me, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    sleep(6);
    MPI_Win_unlock(1, win);
  } else if (me == 0) {
    MPI_Recv(&got, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Win_unlock(1, win);
    MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&got, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

/* Access to a window that its process never exposes. */
static void unposted(void)
{
  int one = 1;
  MPI_Group all, target;
  MPI_Win_set_name(win, "grid");
  if (me != 0) return;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &one, &target);
  MPI_Win_start(target, 0, win);
}

/* The leaders of two groups name different tags. */
static void bridged(void)
{
  MPI_Comm local, both;
  MPI_Comm_split(MPI_COMM_WORLD, me == 2, me, &local);
  MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, me == 2 ? 0 : 2, me == 2 ? 5 : 6, &both);
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  if (strcmp(argv[1], "apart") == 0)
    apart();
  else if (strcmp(argv[1], "unposted") == 0)
    unposted();
  else if (strcmp(argv[1], "bridged") == 0)
    bridged();
  else
    lent();
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
