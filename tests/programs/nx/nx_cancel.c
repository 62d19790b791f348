/* A cancelled receive takes no later message; an ignored one does, and its id is gone. */
#include <errno.h>

#include <nx.h>

#include "../common/check.h"

main()
{
  long other = (mynode() + 1) % numnodes(), cancelled = -1, ignored = -1, x, id;

  id = irecv(8L, &cancelled, 8L);
  msgcancel(id);
  errno = 0;
  CHECK(_msgwait(id) == -1 && errno == EQMID);
  id = irecv(9L, &ignored, 8L);
  msgignore(id);
  CHECK(_msgdone(id) == -1);
  gsync();
  x = 80, csend(8L, &x, 8L, other, 0L);
  x = 90, csend(9L, &x, 8L, other, 0L);
  x = 100, csend(10L, &x, 8L, other, 0L);
  crecv(10L, &x, 8L);
  CHECK(x == 100 && cancelled == -1 && ignored == 90 && iprobe(9L) == 0);
  crecv(8L, &x, 8L);
  CHECK(x == 80 && cancelled == -1);

  id = irecv(8L, &cancelled, 8L);
  x = 81, csend(8L, &x, 8L, other, 0L);
  x = 120, csend(12L, &x, 8L, other, 0L);
  crecv(12L, &x, 8L);
  msgcancel(id); /* too late: the same as msgwait() */
  CHECK(cancelled == 81);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
