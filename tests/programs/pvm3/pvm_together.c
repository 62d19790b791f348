/* Tasks that are started together and spawn none: each sends to all others, which take the first message. */
#include "pvm_check.h"

#define TAG 3

int main()
{
  int *tids, tasks, mine, i, got, from, seen = 0;

  mine = pvm_mytid();
  CHECK(mine > 0);
  tasks = pvm_siblings(&tids);
  CHECK(tasks > 0);
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&mine, 1, 1);
  CHECK(pvm_mcast(tids, tasks, TAG) == 0);
  for (i = 1; i < tasks; i++) {
    int bufid = pvm_recv(-1, TAG);
    CHECK(pvm_bufinfo(bufid, (int*)0, (int*)0, &from) == 0);
    CHECK(pvm_upkint(&got, 1, 1) == 0);
    CHECK(got == from && got != mine);
    printf("t%x gets from t%x\n", (unsigned)mine, (unsigned)from);
  }
  CHECK(pvm_nrecv(-1, TAG) == 0);
  for (i = 0; i < tasks; i++) seen += tids[i] == mine;
  CHECK(seen == 1);
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
