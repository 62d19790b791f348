/* killproc() from one node ends another; the others go on, and the job ends well. */
#include <cube.h>
#include <errno.h>

#include "../common/check.h"

main()
{
  long x = 0;

  gsync();
  if (mynode() == 1)
    crecv(99L, &x, 8L);
  if (mynode() == 0) {
    CHECK(_killproc(7L, 0L) == -1 && errno == EQNODE);
    CHECK(_killproc(2L, 5L) == 0); /* no process has this pid */
    killproc(1L, 0L);
  }
  csend(1L, &x, 8L, 2 - mynode(), 0L);
  crecv(1L, &x, 8L);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
