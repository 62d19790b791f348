/* Node 1 sends for so many seconds as fast as it can; node 0 receives more slowly, and at the end the rest. */
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char** argv) {
  double const end = now() + (argc > 1 ? atof(argv[1]) : 10);
  static char box[1000];
  long count = 0;
  long i;
  if (mynode() == 1) {
    for (; now() < end; count++) csend(1, box, sizeof box, 0, 0);
    csend(1, &count, sizeof count, 0, 0);
  } else {
    struct timespec const pause = {0, 1000000};
    while (crecv(1, box, sizeof box), infocount() == sizeof box)
      if (++count % 100 == 0 && now() < end) nanosleep(&pause, 0);
    i = *(long*)box;
    printf("%ld of %ld messages\n", count, i);
    return count != i;
  }
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
