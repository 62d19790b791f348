/*
 * fragile_mpi.c: as fragile_nx.c, in MPI's words. usage: fragile_mpi either|gather
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define READY 1
#define GO 2
#define DONE 3
#define CHAT 9

static int me, word;

static void put(int rank, int tag)
{
  MPI_Send(&word, 1, MPI_INT, rank, tag, MPI_COMM_WORLD);
}

static int get(int rank, int tag)
{
  MPI_Status status;

  MPI_Recv(&word, 1, MPI_INT, rank, tag, MPI_COMM_WORLD, &status);
  return status.MPI_SOURCE;
}

/* Makes rank 2 late. */
static void chat(void)
{
  int i;

  for (i = 0; i < 20; i++)
    if (me == 2) {
      put(3, CHAT);
      get(3, CHAT);
    } else if (me == 3) {
      get(2, CHAT);
      put(2, CHAT);
    }
}

/* One of two receives completes; rank 1 goes on only when it is its own. */
static void either(void)
{
  MPI_Request requests[2];
  MPI_Status status;
  int words[2], which;

  chat();
  if (me == 0) {
    MPI_Irecv(&words[0], 1, MPI_INT, 1, READY, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&words[1], 1, MPI_INT, 2, READY, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitany(2, requests, &which, &status);
    if (which == 0) put(1, GO);
    get(1, DONE);
    MPI_Wait(&requests[1 - which], &status);
  } else if (me == 1) {
    put(0, READY);
    get(0, GO); /* either waits here */
    put(0, DONE);
  } else if (me == 2)
    put(0, READY);
}

/* Results are stored by the order in which they come, and checked by rank. */
static void gather(void)
{
  int i, results[2];

  chat();
  if (me == 0) {
    for (i = 0; i < 2; i++) {
      get(MPI_ANY_SOURCE, DONE);
      results[i] = word;
    }
    if (results[0] != 1 || results[1] != 2) MPI_Abort(MPI_COMM_WORLD, 3);
  } else if (me < 3) {
    word = me;
    put(0, DONE);
  }
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (argc > 1 && !strcmp(argv[1], "either")) either();
  if (argc > 1 && !strcmp(argv[1], "gather")) gather();
  MPI_Finalize();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
