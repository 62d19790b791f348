/* Node 0 hands out work of all sizes for so many seconds, in bursts that pile up, and takes the answers as they come. */
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORK = 1, ANSWER = 2, STOP = 3, LARGEST = 1 << 20, BURST = 500 };

static char box[LARGEST];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Mostly short; one in a hundred up to 100 KB, one in a thousand up to 1 MB. */
static long size_of(unsigned random) {
  long const most = random % 1000 == 0 ? LARGEST : random % 100 == 0 ? 100000 : 1000;
  return 8 + (long)(random / 1000) % (most - 8);
}

static void work(void) {
  for (;;) {
    crecv(-1, box, sizeof box);
    if (infotype() == STOP) return;
    csend(ANSWER, box, infocount(), 0, 0);
  }
}

int main(int argc, char** argv) {
  double const end = now() + (argc > 1 ? atof(argv[1]) : 10);
  long const workers = numnodes() - 1;
  unsigned random = 1;
  long exchanged = 0;
  long i;
  memset(box, 1, sizeof box);
  if (mynode() != 0) {
    work();
    gsync();
    return 0;
  }
  while (now() < end) {
    for (i = 0; i < BURST; i++) {
      random = random * 1664525U + 1013904223U;
      csend(WORK, box, size_of(random >> 4), 1 + i % workers, 0);
    }
    for (i = 0; i < BURST; i++) crecv(ANSWER, box, sizeof box);
    exchanged += BURST;
  }
  for (i = 1; i <= workers; i++) csend(STOP, box, 0, i, 0);
  gsync();
  printf("%ld exchanges\n", exchanged);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
