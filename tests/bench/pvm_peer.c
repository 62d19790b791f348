/* A PVM program: Earl's front end or native PVM, whichever it is linked with. It starts its own
 * second process. */
#include <pvm3.h>

#include "peer.h"

static int tids[2];

static void peer_send(int to, char* bytes, long size) {
  pvm_initsend(PvmDataRaw);
  pvm_pkbyte(bytes, (int)size, 1);
  pvm_send(tids[to], 7);
}

static void peer_receive(int from, char* bytes, long size) {
  pvm_recv(tids[from], 7);
  pvm_upkbyte(bytes, (int)size, 1);
}

int main(int argc, char** argv) {
  int const me = pvm_mytid();
  int const parent = pvm_parent();
  int rank = parent == PvmNoParent ? 0 : 1;
  int result;
  if (getenv("BENCH_PVM_DIRECT")) pvm_setopt(PvmRoute, PvmRouteDirect);
  tids[rank] = me;
  tids[1 - rank] = parent;
  if (rank == 0 && pvm_spawn(argv[0], argv + 1, PvmTaskDefault, "", 1, &tids[1]) != 1) {
    fprintf(stderr, "%s cannot be spawned: %d\n", argv[0], tids[1]);
    return 1;
  }
  result = peer_measure(rank, 2, argc, argv);
  pvm_exit();
  return result;
}
/* SPDX-License-Identifier: BSD-3-Clause */
