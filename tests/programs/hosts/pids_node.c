/* One of three on a node; sends its number to the next of them, and to the host. */
#include <cube.h>

#include "../common/check.h"

main()
{
  long x, y, next = (mypid() + 1) % 3;

  crecv(1L, &x, sizeof x);
  CHECK(x == 10 * mypid());
  x++;
  csend(3L, &x, sizeof x, mynode(), next);
  crecv(3L, &y, sizeof y);
  CHECK(infonode() == mynode() && y == 10 * infopid() + 1 && infopid() == (mypid() + 2) % 3);
  csend(2L, &x, sizeof x, myhost(), 0L);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
