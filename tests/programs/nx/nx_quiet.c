/* Global operations are invisible: they neither fill a receive of any type nor change the facts
 * about the last message; and a program may wait by probing alone. */
#include <cube.h>

#include "../common/check.h"

main()
{
  long me = mynode(), nodes = numnodes(), x = me, y = -1, w, id, n, all[64];
  double d = me;

  csend(5L, &x, 4L, (me + 1) % nodes, 0L);
  while (!iprobe(5L)); /* no flick: more processes than CPUs get on all the same */
  crecv(5L, &y, 8L);
  id = irecv(-1L, &y, 8L);
  gsync();
  gisum(&x, 1L, &w);
  gdhigh(&d, 1L, (double *)&w);
  gcol(&me, 8L, all, (long)sizeof all, &n);
  gsync();
  CHECK(infotype() == 5 && infocount() == 4 && infonode() == (me + nodes - 1) % nodes);
  CHECK(msgdone(id) == 0 && iprobe(-1L) == 0);
  gsync(); /* none sends before all have polled */
  csend(77L, &me, 8L, -1L, 0L); /* all but the sender */
  if (nodes > 1) {
    msgwait(id);
    CHECK(y != me && y == infonode());
  } else {
    CHECK(msgdone(id) == 0);
    msgcancel(id);
  }
  for (n = 2; n < nodes; n++) {
    crecv(-1L, &y, 8L);
    CHECK(y != me);
  }
  gsync();
  CHECK(iprobe(-1L) == 0);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
