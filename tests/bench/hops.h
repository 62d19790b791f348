/* A token of one word to and fro between two processes, as often as the argument says: for the
 * relative costs of front ends. A program defines hop_send() and hop_receive().
 * Rank 0 prints:  hop NANOSECONDS   (half a round trip, the median of batches) */
#ifndef EARL_BENCH_HOPS_H
#define EARL_BENCH_HOPS_H

#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

static void hop_send(int* token);
static void hop_receive(int* token);

enum { hop_batch = 50, hop_most_batches = 20000 };
static double hop_times[hop_most_batches];

static int hop_compare(void const* a, void const* b) {
  double x = *(double const*)a, y = *(double const*)b;
  return (x > y) - (x < y);
}

static void hop_laps(int rank, long laps) {
  int token = 0;
  long i;
  for (i = 0; i < laps; i++) {
    if (rank != 0) hop_receive(&token);
    token++;
    hop_send(&token);
    if (rank == 0) hop_receive(&token);
  }
}

static int hop_measure(int rank, int argc, char** argv) {
  long const batches = (argc > 1 ? atol(argv[1]) : 0) / hop_batch;
  long i;
  bench_pin(rank);
  for (i = 0; i < batches && i < hop_most_batches; i++) {
    double const begin = bench_now();
    hop_laps(rank, hop_batch);
    hop_times[i] = (bench_now() - begin) / (2.0 * hop_batch);
  }
  qsort(hop_times, (size_t)i, sizeof *hop_times, hop_compare);
  if (rank == 0) printf("hop %.1f\n", i ? hop_times[i / 2] : 0.0);
  return 0;
}

#endif
/* SPDX-License-Identifier: BSD-3-Clause */
