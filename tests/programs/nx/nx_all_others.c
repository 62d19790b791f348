/* The receivers of messages to node -1, and to pid -1; each checks by its messages only. */
#include <cube.h>

#include "../common/check.h"

long me, nodes;

/* Every node's number of this type once, but `not`'s. */
gather(type, not)
long type, not;
{
  long i, x, seen = 0;

  for (i = 0; i < nodes; i++) {
    if (i == not) continue;
    crecv(type, &x, sizeof x);
    CHECK(x == infonode() && (seen & 1L << x) == 0);
    seen |= 1L << x;
  }
  CHECK(seen == ((1L << nodes) - 1 & ~(not < 0 ? 0 : 1L << not)));
}

main()
{
  long list[64], i, x;

  me = mynode(), nodes = numnodes();
  csend(1L, &me, sizeof me, -1L, 0L); /* all but the sender */
  gather(1L, me);
  msgwait(isend(2L, &me, sizeof me, -1L, mypid()));
  gather(2L, me);
  csend(3L, &me, sizeof me, -1L, -1L);
  gather(3L, me);
  csend(4L, &me, sizeof me, (me + 1) % nodes, -1L); /* of one node its process of this pid */
  crecv(4L, &x, sizeof x);
  CHECK(x == (me + nodes - 1) % nodes);
  gsync();
  CHECK(iprobe(-1L) == 0);
  gsync();

  /* A list names its nodes, the sender too when it is there. */
  for (i = 0; i < nodes; i++) list[i] = nodes - 1 - i;
  gsendx(5L, &me, sizeof me, list, nodes);
  gather(5L, -1L);

  /* To a pid that is not the sender's: also on its own node. */
  csend(6L, &me, sizeof me, -1L, 3L);
  gsync();
  CHECK(iprobe(-1L) == 0);
  setpid(3L);
  gather(6L, -1L);
  CHECK(iprobe(-1L) == 0);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
