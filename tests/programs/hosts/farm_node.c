/* Doubles the host's numbers; the nodes agree on the sum that comes back. */
#include <cube.h>

#include "../common/check.h"

main()
{
  long x, y, host;

  CHECK(mypid() == 0 && mynode() >= 0 && mynode() < numnodes() && myhost() == numnodes());
  crecv(1L, &x, sizeof x);
  host = infonode();
  CHECK(host == myhost() && infopid() == 5);
  y = 2 * x + mynode();
  csend(2L, &y, sizeof y, host, infopid());
  crecv(3L, &x, sizeof x);
  y = x;
  gihigh(&y, 1L, &x);
  CHECK(y == x || numnodes() == 1);
  gsync();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
