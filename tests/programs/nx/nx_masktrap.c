/* masktrap holds handlers back and returns the previous state; it is no counter. */
#include <cube.h>
#include <errno.h>

#include "../common/check.h"

long calls, sent, replied, order[8], x[4];

note(type, count, node, pid)
long type, count, node, pid;
{
  order[calls++] = type;
  masktrap(1L); /* a handler's own change ends with it */
}

was_sent(type, count, node, pid)
long type, count, node, pid;
{
  CHECK(type == 20 && count == 8 && node == mynode() && pid == 0);
  sent++;
}

reply(type, count, node, pid)
long type, count, node, pid;
{
  CHECK(type == 22 && node == mynode());
  replied++;
}

extended(type, count, node, pid, hparam)
long type, count, node, pid, hparam;
{
  CHECK(node == mynode() && hparam == 4711 + type);
  calls++;
}

main()
{
  long me = mynode(), i, y = 5, got;

  CHECK(masktrap(1L) == 0 && masktrap(1L) == 1);
  for (i = 0; i < 3; i++) hrecv(10 + i, &x[i], 8L, note);
  for (i = 2; i >= 0; i--) csend(10 + i, &i, 8L, me, 0L);
  for (i = 0; i < 10; i++) flick();
  CHECK(calls == 0);
  CHECK(masktrap(0L) == 1); /* once is enough: here they run, in the order of arrival */
  CHECK(calls == 3 && order[0] == 12 && order[1] == 11 && order[2] == 10 && x[2] == 2);
  CHECK(masktrap(0L) == 0);

  hsend(20L, &y, 8L, me, 0L, was_sent);
  crecv(20L, &got, 8L);
  flick();
  CHECK(sent == 1 && got == 5);
  hsendrecv(22L, &y, 8L, me, 0L, 22L, &got, 8L, reply);
  while (replied == 0) flick();
  CHECK(got == 5);

  calls = 0;
  hrecvx(30L, &x[0], 8L, me, -1L, extended, 4711 + 30L);
  hsendx(30L, &y, 8L, me, 0L, extended, 4711 + 30L);
  while (calls < 2) flick();
  CHECK(x[0] == 5);

  errno = 0;
  CHECK(_hrecv(0x80000000, &y, 8L, note) == -1 && errno == EQTYPE);
  CHECK(_hrecv(1L, &y, -8L, note) == -1 && errno == EQLEN);
  CHECK(_hsend(-3L, &y, 8L, me, 0L, note) == -1 && errno == EQTYPE);
  CHECK(_hsend(1L, &y, 8L, me, 0L, 0) == -1 && errno == EQPARAM);
  CHECK(_hsendrecv(1L, &y, 8L, 70000L, 0L, 1L, &y, 8L, note) == -1 && errno == EQNODE);
  csend(1L, &y, 8L, me, 0L);
  CHECK(iprobe(1L) == 1); /* nothing was posted by the calls that failed */
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
