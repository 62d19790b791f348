/* flushmsg drops the queued and selected messages, and nothing else. */
#include <cube.h>
#include <errno.h>

#include "../common/check.h"

main()
{
  long me = mynode(), next = (me + 1) % numnodes(), x = 1, i;

  for (i = 1; i <= 5; i++) csend(i, &x, 8L, next, 0L);
  csend(9L, &x, 8L, next, 1L); /* for another pid */
  csend(6L, &x, 8L, next, 0L);
  crecv(6L, &x, 8L);
  flushmsg(2L, me, 0L);
  CHECK(iprobe(2L) == 0 && iprobe(1L) == 1);
  flushmsg(0x80000000 | 1 << 1 | 1 << 4, me, mypid());
  CHECK(iprobe(1L) == 0 && iprobe(4L) == 0 && iprobe(3L) == 1 && iprobe(5L) == 1);
  flushmsg(-1L, me, 7L); /* no such process here */
  CHECK(iprobe(3L) == 1);
  flushmsg(-1L, -1L, -1L);
  CHECK(iprobe(-1L) == 0);
  setpid(1L);
  CHECK(iprobe(9L) == 1);
  flushmsg(-1L, me, -1L);
  CHECK(iprobe(-1L) == 0);
  errno = 0;
  CHECK(_flushmsg(0x80000000, me, 0L) == -1 && errno == EQTYPE);
  CHECK(_flushmsg(-1L, 70000L, 0L) == -1 && errno == EQNODE);
  gsync();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
