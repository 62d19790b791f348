/* Words of 4 bytes: the forms that give -1, and the calls that no other program has. */
#include <nx.h>

#include "nx_check.h"

#define GIVES(call, mine, value)                                        \
  do {                                                                  \
    x[0] = (mine), x[1] = 4711;                                         \
    CHECK(_##call(x, 1L, work) == 0);                                   \
    CHECK(x[0] == (value));                                             \
    x[0] = (mine), call(x, 1L, work);                                   \
    CHECK(x[0] == (value) && x[1] == 4711);                             \
  } while (0)

long x[2], work[2];

the_global_ones(me, nodes)
long me, nodes;
{
  long i, all[64], lengths[64], sum = 0, product = 1, or = 0, exclusive = 0, count;

  for (i = 0; i < nodes; i++) sum += i, product *= i % 3 + 1, or |= 1 << i, exclusive ^= 5 * i;
  GIVES(gisum, me, sum);
  GIVES(giprod, me % 3 + 1, product);
  GIVES(gihigh, me, nodes - 1);
  GIVES(gilow, -me, 1 - nodes);
  GIVES(giand, ~(1 << me), ~or);
  GIVES(gior, 1 << me, or);
  GIVES(gixor, 5 * me, exclusive);
  GIVES(gland, me, 0);
  GIVES(glor, me == 0 ? -1 : 0, 1);
  GIVES(glxor, me == 0 ? 9 : 0, 1);
  FAILS(_gisum(x, -1L, work), EQLEN);

  CHECK(_gcol(&me, 4L, all, sizeof all, &count) == 0);
  CHECK(count == 4 * nodes && all[nodes - 1] == nodes - 1);
  FAILS(_gcol(&me, 4L, all, 4 * nodes - 1, &count), EQMSGLONG);
  for (i = 0; i < nodes; i++) lengths[i] = i == 0 ? 4 : 0;
  CHECK(_gcolx(&me, lengths, &x[0]) == 0);
  CHECK(x[0] == 0 && x[1] == 4711);
}

main()
{
  long me = mynode(), nodes = numnodes(), next = (me + 1) % nodes, info[8], list[2], i, pid, code;
  nx_nodes_t all;
  unsigned long count = 0;

  the_global_ones(me, nodes);
  list[0] = next, list[1] = 70000;
  CHECK(_gsendx(3L, &me, 4L, list, 1L) == 0);
  FAILS(_gsendx(3L, &me, 4L, list, 2L), EQNODE);
  CHECK(_cprobex(3L, -1L, 0L, info) == 0 && info[0] == 3 && info[1] == 4);
  CHECK(_iprobex(3L, info[2], -1L, info) == 1 && _iprobex(4L, -1L, -1L, info) == 0);
  CHECK(_crecvx(3L, &i, 4L, info[2], 0L, info) == 0 && i == info[2]);
  FAILS(_crecvx(3L, &i, 4L, 70000L, -1L, info), EQNODE);
  FAILS(_cprobex(0x80000000, -1L, -1L, info), EQTYPE);
  CHECK(_csend(5L, &me, 4L, next, 0L) == 0);
  CHECK(_msgwait(_irecvx(5L, &i, 4L, -1L, -1L, info)) == 0 && info[2] == i && info[0] == 5);
  FAILS(_irecvx(5L, &i, -4L, -1L, -1L, info), EQLEN);

  CHECK(_mypart(&x[0], &i) == 0 && x[0] * i == nodes && x[1] == 4711);
  FAILS(_mypart(&x[0], (long *)0), EQPBUF);
  CHECK(nx_app_nodes(0, &all, &count) == 0 && count == nodes && all[nodes - 1] == nodes - 1);
  free(all);
  FAILS(nx_nfork((long *)0, -1L, 0L, (long *)0), EQCUBENOTATTCH);
  if (nodes > 1) { /* no host among them */
    FAILS(nx_load(list, 1L, 0L, (long *)0, "a.out"), EQCUBENOTATTCH);
    FAILS(nx_loadve(list, 1L, 0L, (long *)0, "a.out", (char **)0, (char **)0), EQCUBENOTATTCH);
    FAILS(_waitone(-1L, -1L, &i, &pid, &code), EQCUBENOTATTCH);
  }
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
