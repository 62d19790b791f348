/* Loads nothing: the user has started its nodes, or will. */
#include <cube.h>

#include "../common/check.h"

main()
{
  long i, n, x, sum = 0;

  setpid(1L);
  n = numnodes();
  CHECK(n == 4 && mynode() == myhost() && myhost() == n);
  for (i = 0; i < n; i++) {
    x = 10 * i;
    csend(3L, &x, sizeof x, i, 0L);
  }
  for (i = 0; i < n; i++) {
    crecv(4L, &x, sizeof x);
    CHECK(infonode() >= 0 && infonode() < n && x == 11 * infonode());
    sum += x;
  }
  CHECK(sum == 66);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
