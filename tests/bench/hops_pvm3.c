/* The token between two PVM tasks, by the calls that are a send and a receive each. */
#include <pvm3.h>

#include "hops.h"

static int other;

static void hop_send(int* token) { pvm_psend(other, 7, (char*)token, 1, PVM_INT); }
static void hop_receive(int* token) {
  pvm_precv(other, 7, (char*)token, 1, PVM_INT, (int*)0, (int*)0, (int*)0);
}

int main(int argc, char** argv) {
  int const me = pvm_mytid();
  int* tids;
  int rank, result;
  if (pvm_siblings(&tids) != 2) return 1;
  rank = tids[0] == me ? 0 : 1;
  other = tids[1 - rank];
  result = hop_measure(rank, argc, argv);
  pvm_exit();
  return result;
}
/* SPDX-License-Identifier: BSD-3-Clause */
