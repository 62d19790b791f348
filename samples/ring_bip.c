/*
 * ring_bip.c: a BIP ring, and an observer: each node sends a copy of the token to the process
 * after the last node, which is no BIP program.   earl run -n 4 ./ring_bip : -n 1 ./ring_watch
 */
#include "bip.h"
#include <stdio.h>

#define LAPS 5
#define TOKEN 3
#define COPY 4

int main()
{
  int lap, token[2], watcher;

  bip_init();
  watcher = 2 * bip_numnodes; /* after the nodes come all processes of the job, from number 0 on */
  for (lap = 0; lap < LAPS; lap++) {
    bip_trecv(TOKEN, token, 2); /* node 0's first one is the watcher's: it begins */
    token[0]++;
    token[1] = bip_mynode;
    bip_tsend(watcher, COPY, token, 2);
    if (lap < LAPS - 1 || bip_mynode < bip_numnodes - 1)
      bip_tsend((bip_mynode + 1) % bip_numnodes, TOKEN, token, 2);
  }
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
