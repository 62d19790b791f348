/* Earl, seen through BIP: its ping-pong, and a token round a ring. */
#include <bip.h>

#include "peer.h"

static void peer_send(int to, char* bytes, long size) {
  bip_tsend(to, 7, (int*)(void*)bytes, (int)(size / (long)sizeof(int)));
}

static void peer_receive(int from, char* bytes, long size) {
  (void)from; /* BIP receives by tag */
  bip_trecv(7, (int*)(void*)bytes, (int)(size / (long)sizeof(int)));
}

int main(int argc, char** argv) {
  bip_init();
  return peer_measure(bip_mynode, bip_numnodes, argc, argv);
}
/* SPDX-License-Identifier: BSD-3-Clause */
