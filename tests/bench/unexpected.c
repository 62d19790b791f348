/* Node 0 sends messages of different types that node 1 does not wait for, and one that it does.
 * Then node 1 takes them, the last first. Argument: how many.
 * Prints:  unexpected COUNT NANOSECONDS   (for each message taken) */
#include <cube.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

static void flood(long count, long last) {
  long i;
  for (i = 0; i <= count; i++) csend(i < count ? i : last, (char*)&i, sizeof i, 1, 0);
}

static int take(long count, long last) {
  double begin;
  long i, got;
  crecv(last, (char*)&got, sizeof got); /* now all the others are here */
  begin = bench_worked();
  for (i = count; i-- > 0;) {
    crecv(i, (char*)&got, sizeof got);
    if (got != i) return 1;
  }
  printf("unexpected %ld %.1f\n", count, (bench_worked() - begin) / (double)count);
  return 0;
}

int main(int argc, char** argv) {
  long const last = 1L << 29;
  int i, status = 0;
  bench_pin((int)mynode());
  for (i = 1; i < argc && status == 0; i++) {
    if (mynode() == 0) flood(atol(argv[i]), last);
    if (mynode() == 1) status = take(atol(argv[i]), last);
    gsync();
  }
  return status;
}
/* SPDX-License-Identifier: BSD-3-Clause */
