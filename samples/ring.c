/*
 * ring.c: a token goes round the cube, as in every course on the iPSC/2.
 * getcube -t8; load ring; waitcube          or today: earl run -n 8 ./ring
 */
#include <cube.h>
#include <stdio.h>

#define TOKEN 100
#define LAPS 1000

int me, nodes;

pass(token)
int *token;
{
  int next = (me + 1) % nodes;

  csend(TOKEN, token, sizeof *token, next, 0);
}

take(token)
int *token;
{
  crecv(TOKEN, token, sizeof *token);
}

main()
{
  int lap, token = 0;
  double start;

  me = mynode();
  nodes = numnodes();
  gsync();
  start = dclock();
  for (lap = 0; lap < LAPS; lap++) {
    if (me == 0) {
      pass(&token);
      take(&token);
      token++;
    } else {
      take(&token);
      token++;
      pass(&token);
    }
  }
  if (me == 0) {
    printf("ring: %d laps of %d nodes, %.2f microseconds a hop\n", LAPS, nodes,
           (dclock() - start) * 1e6 / LAPS / nodes);
    if (token != LAPS * nodes) {
      printf("ring: the token counted %d hops, not %d\n", token, LAPS * nodes);
      exit(1);
    }
    printf("EARL-OK\n");
  }
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
