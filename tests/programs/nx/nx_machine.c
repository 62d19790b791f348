/* Inquiries of a program about the machine, and calls without effect. */
#include <errno.h>

#include <nx.h>

#include "../common/check.h"

never()
{
  CHECK(0);
}

main()
{
  long rows = -1, cols = -1, r, c;

  CHECK(mypart(&rows, &cols) == 0 && rows * cols == numnodes() && rows <= cols);
  for (r = rows + 1; r * r <= numnodes(); r++) CHECK(numnodes() % r != 0); /* none is squarer */
  CHECK(nx_app_rect(&r, &c) == 0 && r == rows && c == cols);
  CHECK(_mypart(&rows, (long *)0) == -1 && errno == EQPBUF);
  CHECK(mydirect() == mynode() && _mydirect() == mynode());
  CHECK(availmem() > 1000000 && availmem() <= 2147483647L && _availmem() == availmem());
  CHECK(restrictvol(1, 0, (int *)0) == 0 && _restrictvol(1, 0, (int *)0) == 0);
  CHECK(nx_pri(0L, 5L) == 0 && nx_pri(0L, 5L) == 0);
  handler(3L, never);
  CHECK(_handler(3L, never) == 0);
  ctohl(&rows, 1L), htocd((double *)0, 0L);
  CHECK(rows * cols == numnodes());
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
