/* The token between two BIP nodes. */
#include <bip.h>

#include "hops.h"

static void hop_send(int* token) { bip_tsend(1 - bip_mynode, 7, token, 1); }
static void hop_receive(int* token) { bip_trecv(7, token, 1); }

int main(int argc, char** argv) {
  bip_init();
  return hop_measure(bip_mynode, argc, argv);
}
/* SPDX-License-Identifier: BSD-3-Clause */
