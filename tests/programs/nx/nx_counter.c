/* hrecv as TCGMSG used it: node 0 gives out numbers while it does other things. */
#include <cube.h>

#include "../common/check.h"

#define TAKE 1
#define NUMBER 2
#define EACH 30

long counter, asked;

serve(type, count, node, pid)
long type, count, node, pid;
{
  long old = masktrap(1L);

  CHECK(type == TAKE && count == 8 && asked == node && pid == 0);
  csend(NUMBER, &counter, 8L, node, pid);
  counter++;
  hrecv(TAKE, &asked, 8L, serve); /* one shot: again */
  masktrap(old);
}

main()
{
  long me = mynode(), nodes = numnodes(), mine, last = -1, sum = 0, work, i;

  if (me == 0) hrecv(TAKE, &asked, 8L, serve);
  for (i = 0; i < EACH; i++) {
    csendrecv(TAKE, &me, 8L, 0L, 0L, NUMBER, &mine, 8L); /* node 0 serves itself, too */
    CHECK(mine > last);
    last = mine;
    sum += mine;
  }
  gsync();
  gisum(&sum, 1L, &work);
  CHECK(sum == EACH * nodes * (EACH * nodes - 1) / 2);
  if (me == 0) {
    CHECK(counter == EACH * nodes);
    hrecv(TAKE, (char *)0, 0L, 0); /* no function: the one posted is taken back */
    csend(TAKE, &me, 8L, 0L, 0L);
    for (i = 0; i < 100; i++) flick();
    CHECK(counter == EACH * nodes && iprobe(TAKE) == 1);
  }
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
