/* Answers a host that did not load it. */
#include <cube.h>

#include "../common/check.h"

main()
{
  long x = 0;

  crecv(3L, &x, sizeof x);
  CHECK(infonode() == myhost() && infopid() == 1 && numnodes() == 4);
  x += mynode();
  csend(4L, &x, sizeof x, myhost(), 1L);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
