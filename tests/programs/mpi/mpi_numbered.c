/* The halves of MPI_COMM_WORLD, "left" and "right": what reports call the members of the latter.
 * Argument: receive, barrier, unmatched, rank, long, abort, collectives or types. */
#include <mpi.h>
#include <string.h>

static char const *how;
static int me, there, value, words[64];
static double real;
static MPI_Comm half;

static int is(char const *what) { return strcmp(how, what) == 0; }

static void go_wrong(void)
{
  if (is("receive") || is("unmatched"))
    MPI_Recv(&value, 1, MPI_INT, 1 - there, 5, half, MPI_STATUS_IGNORE);
  if (is("barrier") && there == 0) MPI_Barrier(half);
  if (is("barrier") && there == 1) MPI_Recv(&value, 1, MPI_INT, 0, 5, half, MPI_STATUS_IGNORE);
  if (is("rank") && there == 1) MPI_Send(&value, 1, MPI_INT, 9, 5, half);
  if (is("abort") && there == 1) MPI_Abort(half, 9);
  if (is("long") && there == 0) MPI_Send(words, 4, MPI_INT, 1, 5, half);
  if (is("long") && there == 1) MPI_Recv(words, 1, MPI_INT, 0, 5, half, MPI_STATUS_IGNORE);
  if (is("collectives") && there == 0) MPI_Bcast(words, 4, MPI_INT, 0, half);
  if (is("collectives") && there == 1) MPI_Bcast(words, 5, MPI_INT, 0, half);
  if (is("types") && there == 0) MPI_Send(words, 2, MPI_INT, 1, 5, half);
  if (is("types") && there == 1) MPI_Recv(&real, 1, MPI_DOUBLE, 0, 5, half, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
  how = argc > 1 ? argv[1] : "";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_split(MPI_COMM_WORLD, me / 2, 0, &half);
  MPI_Comm_rank(half, &there);
  MPI_Comm_set_name(half, me < 2 ? "left" : "right");
  if (is("unmatched") && me == 2) MPI_Send(&value, 1, MPI_INT, 1, 6, half);
  if (me >= 2) go_wrong();
  if (me < 2) MPI_Recv(&value, 1, MPI_INT, 2, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (me == 2) MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
  if (me == 2) MPI_Send(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
