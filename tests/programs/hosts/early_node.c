/* Outlives its host. */
#include <cube.h>

#include "../common/check.h"

main()
{
  long x = 0, y;

  CHECK(mypid() == 3);
  crecv(9L, &x, sizeof x);
  CHECK(x == 42 && infonode() == myhost());
  x = mynode(), gisum(&x, 1L, &y);
  CHECK(x == numnodes() * (numnodes() - 1) / 2);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
