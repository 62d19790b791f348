/* A message waits for the pid it is sent to. */
#include <cube.h>

#include "../common/check.h"

main()
{
  long me = mynode(), next = (me + 1) % numnodes(), x;

  x = 1, csend(3L, &x, 8L, next, 1L);
  x = 0, csend(3L, &x, 8L, next, 0L);
  crecv(-1L, &x, 8L);
  CHECK(x == 0 && iprobe(-1L) == 0);
  setpid(1L);
  CHECK(mypid() == 1 && myptype() == 1);
  crecv(-1L, &x, 8L);
  CHECK(x == 1 && infopid() == 0);
  gsync(); /* now all have pid 1 */
  csend(4L, &me, 8L, next, mypid());
  crecv(4L, &x, 8L);
  CHECK(infopid() == 1 && x == infonode());
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
