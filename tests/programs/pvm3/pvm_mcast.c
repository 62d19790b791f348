/* All multicast to all, named twice: each gets each other's message once and not its own.
   Every task knows its siblings in the order they were spawned. */
#include "pvm_check.h"

#define TASKS 4
#define START 1
#define HELLO 2
#define DONE 3

static void member()
{
  int *siblings, twice[2 * TASKS], received[TASKS], me = pvm_mytid(), n, i, from;

  n = pvm_siblings(&siblings);
  CHECK(n == TASKS);
  for (i = 0; i < n; i++) {
    twice[i] = twice[n + i] = siblings[i];
    received[i] = 0;
    if (i > 0) CHECK(siblings[i] > siblings[i - 1]);
  }
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&me, 1, 1);
  CHECK(pvm_mcast(twice, 2 * n, HELLO) == 0);
  for (i = 0; i < n - 1; i++) {
    int k;
    pvm_recv(-1, HELLO);
    pvm_upkint(&from, 1, 1);
    for (k = 0; k < n; k++)
      if (siblings[k] == from) received[k]++;
  }
  for (i = 0; i < n; i++) CHECK(received[i] == (siblings[i] == me ? 0 : 1));
  CHECK(pvm_nrecv(-1, HELLO) == 0);
  pvm_initsend(PvmDataRaw);
  CHECK(pvm_send(pvm_parent(), DONE) == 0);
  pvm_exit();
}

int main()
{
  int tids[TASKS], *alone, i;

  if (pvm_parent() > 0) {
    member();
    return 0;
  }
  CHECK(pvm_siblings(&alone) == 1);
  CHECK(alone[0] == pvm_mytid());
  CHECK(pvm_spawn("pvm_mcast_c", (char**)0, 0, (char*)0, TASKS, tids) == TASKS);
  for (i = 0; i < TASKS; i++) CHECK(pvm_recv(tids[i], DONE) > 0);
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
