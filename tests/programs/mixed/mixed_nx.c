/* The NX half of a job of two systems: two nodes, whose numbers and sums leave PVM's task out. */
#include <nx.h>

#include "../common/check.h"

#define QUESTION 5
#define ANSWER 6

main()
{
  long me = mynode(), x = me + 1, work;
  int value = 4711;

  CHECK(numnodes() == 2 && mynode() < 2);
  gisum(&x, 1L, &work);
  CHECK(x == 3);
  if (me == 1) {
    crecv(QUESTION, &value, 4L); /* from a process that is no node */
    CHECK(value == 4700 && infonode() > numnodes() && infopid() == 0);
    value++;
    csend(ANSWER, &value, 4L, infonode(), 0L);
  }
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
