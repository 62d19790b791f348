/* The common part of all message-passing programs measured here, so that only the transport
 * differs. A program defines peer_send() and peer_receive(), defines its rank, and calls
 * peer_measure(). Reads as C and as C++.
 *
 * The arguments, alike for all:  pingpong MILLISECONDS BYTES...  |  handoff MILLISECONDS BYTES...
 * |  repeat MILLISECONDS BYTES...  |  ring LAPS. A hand-off is a ping-pong of two processes that
 * share one CPU; repeat is one of the same bytes each time, as fi_pingpong's is.
 * Rank 0 prints one line for each size:  pingpong BYTES NANOSECONDS   (half a round trip)
 * or one line:  ring NANOSECONDS   (a hop). Both are the median of the program's own samples. */
#ifndef EARL_BENCH_PEER_H
#define EARL_BENCH_PEER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

static void peer_send(int to, char* bytes, long size);
static void peer_receive(int from, char* bytes, long size);

static int peer_compare(void const* a, void const* b) {
  double x = *(double const*)a, y = *(double const*)b;
  return (x > y) - (x < y);
}

static double peer_median(double* samples, long count) {
  qsort(samples, (size_t)count, sizeof *samples, peer_compare);
  return samples[count / 2];
}

enum { peer_most_samples = 20000 };
static double peer_samples[peer_most_samples];

/* Short messages are timed many at once, or the clock would be most of the time; long ones
 * singly, from just before the send, so that rewriting the buffer stays out of it. */
static long peer_batch(long size) { return size <= 4096 ? 50 : 1; }

/* A program's data are new each time. */
static int peer_renews = 1;

/* Is no part of a sample of long messages. */
static void peer_fill(char* out, int with, long size) {
  memset(out, with, peer_renews ? (size_t)size : 1);
}

/* A message that begins with 0 is the last. */
static void peer_answer(char* out, char* in, long size) {
  int n = 0;
  do {
    peer_fill(out, ++n, size);
    peer_receive(0, in, size);
    peer_send(0, out, size);
  } while (in[0] != 0);
}

/* One sample: a batch of round trips, nanoseconds for one way. `last` tells the peer to stop. */
static double peer_batch_time(char* out, char* in, long size, int last) {
  long const batch = peer_batch(size);
  double t = 0;
  long i;
  for (i = 0; i < batch; i++) {
    peer_fill(out, last && i == batch - 1 ? 0 : 1 + (int)(i & 63), size);
    if (i == 0) t = bench_now();
    peer_send(1, out, size);
    peer_receive(1, in, size);
  }
  return (bench_now() - t) / (2.0 * (double)batch);
}

static void peer_ask(char* out, char* in, long size, double budget) {
  double begin = bench_now();
  long count = 0;
  do peer_batch_time(out, in, size, 0);
  while (bench_now() - begin < budget / 5);
  begin = bench_now();
  while (count < peer_most_samples && (count < 20 || bench_now() - begin < budget) &&
         bench_now() - begin < 4 * budget)
    peer_samples[count++] = peer_batch_time(out, in, size, 0);
  peer_batch_time(out, in, size, 1);
  printf("pingpong %ld %.1f\n", size, peer_median(peer_samples, count));
  fflush(stdout);
}

static void peer_pingpong(int rank, double budget, long size) {
  char* out = (char*)aligned_alloc(4096, ((size_t)size + 4095) / 4096 * 4096);
  char* in = (char*)aligned_alloc(4096, ((size_t)size + 4095) / 4096 * 4096);
  memset(in, 1, (size_t)size);
  memset(out, 1, (size_t)size);
  if (rank == 0)
    peer_ask(out, in, size, budget);
  else
    peer_answer(out, in, size);
  free(out);
  free(in);
}

static inline void peer_ring(int rank, int size, long laps) {
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  long const warm = laps / 10 + 1;
  char token[8] = {0};
  long i, count = 0;
  for (i = 0; i < laps + warm; i++) {
    double const t = bench_now();
    memset(token, (int)i & 127, sizeof token);
    if (rank == 0) peer_send(next, token, sizeof token);
    peer_receive(before, token, sizeof token);
    if (rank != 0) peer_send(next, token, sizeof token);
    if (i >= warm && count < peer_most_samples)
      peer_samples[count++] = (bench_now() - t) / (double)size;
  }
  if (rank == 0) printf("ring %.1f\n", peer_median(peer_samples, count));
}

/* In a ping-pong each process has a CPU of its own; a ring is left to the scheduler. */
static inline int peer_measure(int rank, int size, int argc, char** argv) {
  int const again = argc >= 4 && strcmp(argv[1], "repeat") == 0;
  int const alone = again || (argc >= 4 && strcmp(argv[1], "pingpong") == 0);
  int const shared = argc >= 4 && strcmp(argv[1], "handoff") == 0;
  int i;
  if ((alone || shared) && size == 2) {
    peer_renews = !again;
    bench_pin(alone ? rank : 0);
    for (i = 3; i < argc; i++) peer_pingpong(rank, 1e6 * atof(argv[2]), atol(argv[i]));
    return 0;
  }
  if (argc == 3 && strcmp(argv[1], "ring") == 0) {
    peer_ring(rank, size, atol(argv[2]));
    return 0;
  }
  if (rank == 0) fprintf(stderr, "%s: see peer.h for its arguments\n", argv[0]);
  return 2;
}

#endif
/* SPDX-License-Identifier: BSD-3-Clause */
