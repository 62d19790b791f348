/* The cost of a call through NX: the node sends to itself and receives, so that no back end is in
 * between. mapping_core.cpp does the same without NX. Argument: how many times.
 * Prints:  pair NANOSECONDS   (a send and its receive) */
#include <cube.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

int main(int argc, char** argv) {
  long const times = argc > 1 ? atol(argv[1]) : 0;
  long const me = mynode();
  char bytes[8] = {0};
  double begin;
  long i;
  bench_pin(0);
  begin = bench_worked();
  for (i = 0; i < times; i++) {
    csend(7, bytes, sizeof bytes, me, 0);
    crecv(7, bytes, sizeof bytes);
  }
  printf("pair %.2f\n", (bench_worked() - begin) / (double)(times > 0 ? times : 1));
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
