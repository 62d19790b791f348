/* Random numbers are the C library's, and their state is the node's own. */
#include <nx.h>
#include <stdlib.h>

#include "../common/check.h"

static char one[128], other[64];

/* The numbers of glibc. */
static void unseeded(void) {
  CHECK(lrand48() == 0 && lrand48() == 2116118 && lrand48() == 89401895);
  CHECK(rand() == 1804289383 && random() == 846930886);
}

/* Each function's next value after `seed` is set, while others set theirs. */
static void states(int me) {
  unsigned short mine[3], start[3], parameters[7] = {1, 2, 3, 5, 0, 0, 7}, *before;
  long first, second, factor;
  double fraction;
  start[0] = me, start[1] = 2, start[2] = 3;
  seed48(start);
  first = lrand48();
  second = mrand48();
  gsync();
  before = seed48(start);
  CHECK(before[0] != me || before[1] != 2);
  CHECK(lrand48() == first && mrand48() == second);
  mine[0] = me, mine[1] = 2, mine[2] = 3;
  CHECK(nrand48(mine) == first && jrand48(mine) == second);
  /* 5 times the number before plus 7. */
  parameters[0] = me;
  parameters[1] = parameters[2] = 0;
  lcong48(parameters);
  gsync();
  factor = (5L * me + 7) >> 17;
  CHECK(lrand48() == factor);
  mine[0] = 0, mine[1] = 0, mine[2] = 0x8000;
  fraction = erand48(mine);
  CHECK(fraction > 0.5 && fraction < 0.5 + 1e-13);
  /* Seeding restores the usual factor. */
  srand48(me);
  gsync();
  CHECK(drand48() < 1);
  seed48(start);
  CHECK(lrand48() == first);
}

static void buffers(int me) {
  char *before;
  long first, second;
  before = initstate(me + 1, one, sizeof one);
  CHECK(before != NULL && before != one);
  first = random();
  gsync();
  CHECK(initstate(me + 5, other, sizeof other) == one);
  second = random();
  gsync();
  CHECK(setstate(one) == other);
  srandom(me + 1);
  CHECK(random() == first);
  CHECK(setstate(other) == one);
  srandom(me + 5);
  CHECK(random() == second);
  CHECK(setstate(before) == other);
  gsync();
  srandom(1);
  CHECK(rand() == 1804289383);
}

int main(void) {
  int me = mynode();
  unseeded();
  gsync();
  states(me);
  buffers(me);
  puts("EARL-OK");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
