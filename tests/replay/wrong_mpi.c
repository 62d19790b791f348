/*
 * wrong_mpi.c: MPI programs with one fault each; comments name the lines that a report must name.
 * usage: wrong_mpi exchange|refused|absent|slow
 */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

static int me, size, word;

/* Relies on room for short messages, which MPI does not promise. */
static void exchange(void)
{
  MPI_Send(&word, 1, MPI_INT, (me + 1) % size, 1, MPI_COMM_WORLD); /* ring send */
  MPI_Recv(&word, 1, MPI_INT, (me + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void refused(void)
{
  if (me == 0) {
    MPI_Send(&word, -1, MPI_INT, 1, 1, MPI_COMM_WORLD); /* negative count */
  }
}

/* The root waits for none. */
static void absent(void)
{
  if (me != 2) MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD); /* broadcast without 2 */
}

/* Right, but for its time: longer than other runs of `earl explore` may take. */
static void slow(void)
{
  int i;

  if (me == 0) {
    sleep(11);
    for (i = 1; i < size; i++)
      MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv)
{
  char const *name = argc > 1 ? argv[1] : "";

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (strcmp(name, "exchange") == 0) exchange();
  if (strcmp(name, "refused") == 0) refused();
  if (strcmp(name, "absent") == 0) absent();
  if (strcmp(name, "slow") == 0) slow();
  MPI_Finalize();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
