/* A token of one word round all nodes, timed as a whole by node 0, so that a hop costs no look at
 * the clock. Argument: laps. Prints:  hop NANOSECONDS  and  resident KIB  (of the whole process) */
#include <cube.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

static long me, nodes;

static void round_and_round(long laps) {
  long const next = (me + 1) % nodes;
  long token = 0, i;
  for (i = 0; i < laps; i++) {
    if (me != 0) crecv(7, (char*)&token, sizeof token);
    token++;
    csend(7, (char*)&token, sizeof token, next, 0);
    if (me == 0) crecv(7, (char*)&token, sizeof token);
  }
  if (me == 0 && token != laps * nodes) exit(1);
}

/* In KiB; -1: the system does not say. */
static long resident(void) {
  long all, there = -1;
  FILE* statm = fopen("/proc/self/statm", "r");
  if (statm && fscanf(statm, "%ld %ld", &all, &there) == 2) there *= sysconf(_SC_PAGESIZE) / 1024;
  if (statm) fclose(statm);
  return there;
}

int main(int argc, char** argv) {
  long const laps = argc > 1 ? atol(argv[1]) : 1;
  double begin, end;
  me = mynode();
  nodes = numnodes();
  round_and_round(laps / 10 + 1);
  begin = bench_now();
  round_and_round(laps);
  end = bench_now();
  round_and_round(1); /* the others end in this one, or later */
  if (me == 0) {
    printf("hop %.1f\n", (end - begin) / ((double)laps * (double)nodes));
    printf("resident %ld\n", resident());
  }
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
