/* A master hands out work to the first that asks: wildcard receives that race. The order in which
   answers come is printed, so that a replay can be compared with its recording. */
#include "pvm_check.h"

#define WORKERS 4
#define ITEMS 24
#define WORK 1
#define ANSWER 2

static void worker()
{
  int item, answer[2];

  for (;;) {
    pvm_recv(pvm_parent(), WORK);
    pvm_upkint(&item, 1, 1);
    if (item < 0) break;
    answer[0] = item;
    answer[1] = item * item;
    pvm_initsend(PvmDataDefault);
    pvm_pkint(answer, 2, 1);
    pvm_send(pvm_parent(), ANSWER);
  }
  pvm_exit();
}

static void hand_out(tid, item)
int tid, item;
{
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&item, 1, 1);
  CHECK(pvm_send(tid, WORK) == 0);
}

int main()
{
  int tids[WORKERS], answer[2], next = 0, done, sum = 0, from, expected = 0, i;

  pvm_mytid();
  if (pvm_parent() > 0) {
    worker();
    return 0;
  }
  CHECK(pvm_parent() == PvmNoParent);
  CHECK(pvm_spawn("pvm_farm_c", (char**)0, PvmTaskDefault, "", WORKERS, tids) == WORKERS);
  for (i = 0; i < WORKERS; i++) hand_out(tids[i], next++);
  for (done = 0; done < ITEMS; done++) {
    int bufid = pvm_recv(-1, ANSWER);
    CHECK(pvm_bufinfo(bufid, (int*)0, (int*)0, &from) == 0);
    CHECK(pvm_upkint(answer, 2, 1) == 0);
    CHECK(answer[1] == answer[0] * answer[0]);
    printf("item %d from t%x\n", answer[0], (unsigned)from);
    sum += answer[1];
    hand_out(from, next < ITEMS ? next : -1);
    next++;
  }
  for (i = 0; i < ITEMS; i++) expected += i * i;
  CHECK(sum == expected);
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
