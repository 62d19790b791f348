/* A handler runs wherever the program waits: each waits for a message of the neighbour's handler, and
 * the neighbour waits, too. The facts about its last message stay. */
#include <nx.h>

#include "../common/check.h"

#define POKE 1
#define ANSWER 2

long pokes, poked;

answer(type, count, node, pid)
int type, count, node, pid; /* many declared int */
{
  CHECK(type == POKE && count == 8 && pid == 0 && poked == node);
  csend(ANSWER, &pokes, 5L, node, 0L);
  pokes++;
  hrecv(POKE, &poked, 8L, answer);
}

poke(node)
long node;
{
  long me = mynode();

  csend(POKE, &me, 8L, node, 0L);
}

main()
{
  long me = mynode(), nodes = numnodes(), next = (me + 1) % nodes, x, id, sum = 1, work, i;

  hrecv(POKE, &poked, 8L, answer);
  poke(next);
  crecv(ANSWER, &x, 8L);
  CHECK(infotype() == ANSWER && infocount() == 5 && infonode() == next);

  poke(next);
  cprobe(ANSWER);
  CHECK(infocount() == 5);
  crecv(ANSWER, &x, 8L);

  poke(next);
  id = irecv(ANSWER, &x, 8L);
  msgwait(id);
  CHECK(infocount() == 5);

  CHECK(csendrecv(POKE, &me, 8L, next, 0L, ANSWER, &x, 8L) == 5);

  poke(next);
  id = irecv(ANSWER, &x, 8L);
  while (!msgdone(id));
  poke(next);
  while (!iprobe(ANSWER));
  crecv(ANSWER, &x, 8L);

  while (pokes < 6) flick();
  csend(9L, &x, 3L, me, 0L);
  crecv(9L, &x, 8L);
  if (me == 0) /* the others wait in a global operation */
    for (i = 1; i < nodes; i++) {
      poke(i);
      crecv(ANSWER, &x, 8L);
    }
  gisum(&sum, 1L, &work);
  CHECK(sum == nodes && (me == 0 || pokes == 7));
  CHECK(nodes > 1 && me == 0 || infotype() == 9 && infocount() == 3 && infonode() == me);

  poke(me); /* a posted handler comes before a probe */
  while (pokes < (me == 0 ? 7 : 8)) CHECK(iprobe(POKE) == 0);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
