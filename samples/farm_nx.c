/*
 * farm_nx.c: an NX program that hands out work to PVM tasks. They are no nodes: NX gives processes of
 * other systems numbers above its own.      earl run -n 1 ./farm_nx 3 : -n 3 ./farm_pvm
 */
#include <cube.h>
#include <stdio.h>
#include <stdlib.h>

#define WORK 1
#define RESULT 2
#define MANY 60

main(argc, argv)
int argc;
char **argv;
{
  int workers = argc > 1 ? atoi(argv[1]) : 1, given = 0, i, piece[2];
  long first = numnodes() + 2; /* after the nodes, and the host's number, and rank 0: this program */
  long sum = 0;

  for (i = 0; i < workers; i++) {
    piece[0] = given++;
    csend(WORK, piece, 4L, first + i, 0L);
  }
  for (i = 0; i < MANY; i++) {
    crecv(RESULT, piece, 8L);
    sum += piece[1];
    piece[0] = given < MANY ? given++ : -1;
    csend(WORK, piece, 4L, infonode(), 0L); /* to the one that has finished */
  }
  printf("farm_nx: %d pieces of work by %d PVM tasks, sum of squares %ld\n", MANY, workers, sum);
  if (sum == (MANY - 1L) * MANY * (2 * MANY - 1) / 6) printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
