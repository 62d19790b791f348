/* The first task prints in which order the others' messages come: blocking, polled for and probed. */
#include <pvm3.h>
#include <stdio.h>

#define ROUNDS 6

int main()
{
  int *tids, i, me = pvm_mytid(), from, tasks = pvm_siblings(&tids);

  for (i = 0; me != tids[0] && i < ROUNDS; i++) {
    for (from = 0; tids[from] != me; from++) continue;
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&from, 1, 1);
    pvm_send(tids[0], 7);
  }
  for (i = 0; me == tids[0] && i < ROUNDS * (tasks - 1); i++) {
    if (i % 3 == 0) pvm_recv(-1, -1);
    else if (i % 3 == 1) while (pvm_nrecv(-1, 7) == 0) continue;
    else {
      while (pvm_probe(-1, -1) == 0) continue;
      pvm_recv(-1, -1);
    }
    pvm_upkint(&from, 1, 1);
    printf("%d ", from);
  }
  if (me == tids[0]) printf("\n");
  pvm_exit();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
