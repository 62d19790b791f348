/*
 * exchange.c: two nodes exchange a row. Each receives before it sends: a deadlock.
 */
#include <cube.h>
#include <stdio.h>

#define ROW 1

double mine[64], theirs[64];

exchange(partner)
int partner;
{
  crecv(ROW, theirs, sizeof theirs);
  csend(ROW, mine, sizeof mine, partner, 0);
}

main()
{
  exchange(1 - mynode());
  printf("node %d has its partner's row\n", mynode());
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
