/* Handlers' other forms: one handler of many posted, from one node only, and errors. */
#include <nx.h>

#include "nx_check.h"

long me, nodes, calls, sent, received;

extended(type, count, node, pid, hparam)
long type, count, node, pid, hparam;
{
  CHECK(type == 5 && count == 8 && pid == 0 && node == hparam);
  CHECK(received == node);
  calls++;
}

gone(type, count, node, pid, hparam)
long type, count, node, pid, hparam;
{
  CHECK(type == 5 && count == 8 && node == (me + 1) % nodes && pid == 0 && hparam == -3);
  sent++;
}

never()
{
  CHECK(0);
}

main()
{
  long x, before, y;

  me = mynode(), nodes = numnodes(), before = (me + nodes - 1) % nodes;
  FAILS(_hrecvx(0x80000000, &x, 8L, -1L, -1L, never, 0L), EQTYPE);
  FAILS(_hrecvx(5L, &x, 8L, nodes + 70000, -1L, never, 0L), EQNODE);
  FAILS(_hrecvx(5L, &x, 8L, -1L, -2L, never, 0L), EQPID);
  FAILS(_hrecvx(5L, (char *)0, 8L, -1L, -1L, never, 0L), EQPBUF);
  FAILS(_hsendx(-5L, &x, 8L, 0L, 0L, never, 0L), EQTYPE);
  FAILS(_hsendx(5L, &x, 8L, nodes + 70000, 0L, never, 0L), EQNODE);
  FAILS(_hsendx(5L, &x, -8L, 0L, 0L, never, 0L), EQLEN);
  FAILS(_hsendx(5L, &x, 8L, 0L, 0L, (int (*)())0, 0L), EQPARAM);
  FAILS(_hsend(5L, &x, 8L, 0L, -2L, never), EQPID);
  FAILS(_hrecv(5L, &x, -8L, never), EQLEN);
  FAILS(_hsendrecv(5L, &x, 8L, -5L, 0L, 5L, &y, 8L, never), EQNODE);

  /* A message of the same type from oneself is another's. */
  CHECK(_hrecvx(5L, &received, 8L, before, 0L, extended, before) == 0);
  CHECK(_hsendx(5L, &me, 8L, (me + 1) % nodes, 0L, gone, -3L) == 0);
  while (calls == 0 || sent == 0) flick();
  CHECK(received == before);
  csend(5L, &me, 8L, me, 0L);
  crecv(5L, &x, 8L);
  CHECK(x == me && calls == 1 && sent == 1);

  /* A cancelled handler is not there when the message comes. */
  hrecv(6L, &x, 8L, never);
  CHECK(_hrecv(6L, (char *)0, 0L, (int (*)())0) == 0);
  csend(6L, &me, 8L, me, 0L);
  crecv(6L, &y, 8L);
  CHECK(y == me && infotype() == 6);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
