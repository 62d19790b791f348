/* All nodes meet again and again. Argument: how often.
 * Node 0 prints:  barrier NANOSECONDS   (the median) */
#include <cube.h>

#include "peer.h"

static void peer_send(int to, char* bytes, long size) { csend(7, bytes, size, to, 0); }

static void peer_receive(int from, char* bytes, long size) {
  (void)from;
  crecv(7, bytes, size);
}

int main(int argc, char** argv) {
  long const times = argc > 1 ? atol(argv[1]) : 1;
  long i;
  double begin;
  gsync();
  for (i = 0; i < times && i < peer_most_samples; i++) {
    begin = bench_now();
    gsync();
    peer_samples[i] = bench_now() - begin;
  }
  if (mynode() == 0) printf("barrier %.0f\n", peer_median(peer_samples, i));
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
