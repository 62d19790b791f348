/* ring_watch.c: a program of the MPI1 draft that starts a BIP ring and watches the token go round. */
#include <mpi1.h>
#include <stdio.h>
#include <stdlib.h>

#define LAPS 5
#define TOKEN 3
#define COPY 4

main(argc, argv)
int argc;
char **argv;
{
  int nodes = argc > 1 ? atoi(argv[1]) : 1, seen[64], i, token[2];
  int first = MPI_INFOG(ALL, 0, (int *)0); /* after the processes of the draft come all of the job */

  for (i = 0; i < nodes; i++) seen[i] = 0;
  token[0] = token[1] = 0;
  MPI_CSEND("blocking", token, first, TOKEN, 8);
  for (i = 0; i < LAPS * nodes; i++) {
    /* Copies of different nodes may overtake one another; those of one do not. */
    if (MPI_CRECV("blocking", token, -1, COPY, 8) != 8) exit(1);
    if (MPI_INFOS() != first + token[1]) exit(1);
    if (token[0] != seen[token[1]]++ * nodes + token[1] + 1) exit(1);
  }
  for (i = 0; i < nodes; i++)
    if (seen[i] != LAPS) exit(1);
  printf("ring_watch: the token passed each of %d BIP nodes %d times\nEARL-OK\n", nodes, LAPS);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
