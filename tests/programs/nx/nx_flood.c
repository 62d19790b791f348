/* 10,000 sends before any receive; then some that are never received. */
#include <cube.h>

#include "../common/check.h"

#define MESSAGES 10000

main()
{
  long other = mynode() ^ 1;
  int i, x;

  for (i = 0; i < MESSAGES; i++) csend(i & 3, &i, (long)sizeof i, other, 0L);
  gsync();
  for (i = 1; i < MESSAGES; i += 4) {
    crecv(1L, &x, (long)sizeof x);
    CHECK(x == i);
  }
  for (i = 0; i < MESSAGES; i++) {
    if ((i & 3) == 1) continue;
    crecv(-1L, &x, (long)sizeof x);
    CHECK(x == i);
  }
  for (i = 0; i < 5000; i++) csend(9L, &i, (long)sizeof i, other, 0L);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
