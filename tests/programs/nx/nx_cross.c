/* Both sides csend 10 megabytes before either receives: csend never waits for the receiver. */
#include <cube.h>

#include "../common/check.h"

#define WORDS 2621440

int out[WORDS], in[WORDS];

main()
{
  long me = mynode(), other = me ^ 1;
  int i, round;

  for (round = 0; round < 3; round++) {
    for (i = 0; i < WORDS; i++) out[i] = i * 3 + me + round;
    csend(round, out, (long)sizeof out, other, 0L);
    for (i = 0; i < WORDS; i++) out[i] = -1; /* the buffer is free on return */
    crecv(round, in, (long)sizeof in);
    for (i = 0; i < WORDS; i++) CHECK(in[i] == i * 3 + other + round);
  }
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
