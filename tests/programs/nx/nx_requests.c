/* isend, csendrecv and isendrecv: a remote call that adds one. */
#include <cube.h>

#include "../common/check.h"

#define CALL 1
#define REPLY 2

main()
{
  long me = mynode(), nodes = numnodes(), x = 0, y = -1, id, sent, calls = 2 * (nodes - 1);
  int n = 0;

  if (me == 0) {
    for (; calls > 0; calls--) {
      crecv(CALL, &x, 8L);
      x++;
      sent = isend(REPLY, &x, 8L, infonode(), infopid());
      msgwait(sent);
    }
  } else {
    x = me * 10;
    CHECK(csendrecv(CALL, &x, 8L, 0L, 0L, REPLY, &y, 8L) == 8);
    CHECK(y == me * 10 + 1 && infotype() == REPLY && infonode() == 0);
    x = me * 20, y = -1;
    id = isendrecv(CALL, &x, 8L, 0L, 0L, REPLY, &y, 8L);
    while (!msgdone(id)) n++;
    CHECK(y == me * 20 + 1);
    CHECK(_csendrecv(-7L, &x, 8L, 0L, 0L, REPLY, &y, 8L) == -1);
    CHECK(_isendrecv(CALL, &x, 8L, nodes, 0L, REPLY, &y, 8L) == -1);
  }
  id = isend(5L, &x, 8L, me, 0L);
  CHECK(id == 1 && isend(5L, &x, 8L, me, 0L) == 2); /* ids are small and used again */
  msgwait(1L), msgwait(2L);
  CHECK(isend(5L, &x, 8L, me, 0L) <= 2);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
