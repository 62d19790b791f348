/* gopf: the pair (value, node) with the largest value wins, on all nodes alike. */
#include <cube.h>

#include "../common/check.h"

struct best {
  double value;
  long node;
};

int better(x, work)
struct best *x, *work;
{
  if (work->value > x->value || (work->value == x->value && work->node < x->node)) *x = *work;
}

main()
{
  struct best x, work;
  long nodes = numnodes(), winner;

  for (winner = 0; winner < nodes; winner++) {
    x.node = mynode();
    x.value = x.node == winner ? 100.5 : x.node;
    gopf(&x, (long)sizeof x, &work, better);
    CHECK(x.value == 100.5 && x.node == winner);
  }
  x.value = 1.0;
  x.node = mynode();
  gopf(&x, (long)sizeof x, &work, better);
  CHECK(x.node == 0);
  CHECK(_gopf(&x, (long)sizeof x, &work, (long (*)())0) == -1);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
