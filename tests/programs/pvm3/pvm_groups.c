/* Groups: instance numbers, holes, barriers, broadcasts, and reductions over a group. */
#include "pvm_check.h"

#include <unistd.h>

#define TASKS 4
#define TAG 7

static char group[] = "grp";

static void add_up(type, x, y, n, info)
int *type, *n, *info;
void *x, *y;
{
  int i;

  for (i = 0; i < *n; i++) ((int*)x)[i] += ((int*)y)[i];
  *info = *type == PVM_INT ? PvmOk : PvmBadParam;
}

static void compute(me)
int me;
{
  int data[2], all[2 * TASKS], part[2], i;
  double z[2];

  data[0] = me + 1;
  data[1] = 10 * (me + 1);
  CHECK(pvm_gather(all, data, 2, PVM_INT, 3, group, 1) == 0);
  if (me == 1)
    for (i = 0; i < 2 * TASKS; i++) CHECK(all[i] == (i / 2 + 1) * (i % 2 ? 10 : 1));
  for (i = 0; i < 2 * TASKS; i++) all[i] = i;
  CHECK(pvm_scatter(part, all, 2, PVM_INT, 4, group, 0) == 0);
  CHECK(part[0] == 2 * me && part[1] == 2 * me + 1);
  CHECK(pvm_scatter((int*)0, all, 2, PVM_INT, 4, group, 0) == PvmBadParam);
  if (me == 2) CHECK(pvm_scatter(part, (int*)0, 2, PVM_INT, 4, group, 2) == PvmBadParam);
  CHECK(pvm_reduce(PvmSum, data, 2, PVM_INT, 5, group, 0) == 0);
  if (me == 0) CHECK(data[0] == 10 && data[1] == 100);
  data[0] = me;
  CHECK(pvm_reduce(add_up, data, 1, PVM_INT, 5, group, 2) == 0);
  if (me == 2) CHECK(data[0] == 6);
  z[0] = -me;
  z[1] = me;
  CHECK(pvm_reduce(PvmMax, z, 1, PVM_DCPLX, 5, group, 0) == 0);
  if (me == 0) CHECK(z[0] == -3 && z[1] == 3);
  CHECK(pvm_reduce(PvmSum, data, 1, 99, 5, group, 0) == PvmBadParam);
  CHECK(pvm_reduce(PvmSum, data, 1, PVM_INT, 5, group, 9) == PvmNoInst);
}

int main(argc, argv)
int argc;
char** argv;
{
  int me, i, n, tids[TASKS];

  pvm_setopt(PvmAutoErr, 0);
  CHECK(pvm_joingroup((char*)0) == PvmNullGroup);
  CHECK(pvm_gsize("none") == PvmNoGroup);
  CHECK(pvm_lvgroup(group) == (pvm_parent() > 0 ? PvmNotInGroup : PvmNoGroup));
  me = pvm_joingroup(group);
  CHECK(me >= 0);
  CHECK(pvm_joingroup(group) == PvmDupGroup);
  if (pvm_parent() < 0) {
    CHECK(me == 0);
    CHECK(pvm_bcast(group, TAG) == PvmNoInst);
    CHECK(pvm_spawn("pvm_groups_c", (char**)0, 0, "", TASKS - 1, tids) == TASKS - 1);
  }
  CHECK(pvm_barrier(group, 0) == PvmBadParam);
  CHECK(pvm_barrier(group, TASKS) == 0);
  CHECK(pvm_gsize(group) == TASKS);
  CHECK(pvm_gettid(group, me) == pvm_mytid());
  CHECK(pvm_getinst(group, pvm_mytid()) == me);
  CHECK(pvm_gettid(group, TASKS) == PvmNoInst);
  if (me == 0) {
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&me, 1, 1);
    CHECK(pvm_bcast(group, TAG) == 0);
  } else {
    CHECK(pvm_recv(pvm_gettid(group, 0), TAG) > 0);
  }
  compute(me);
  CHECK(pvm_barrier(group, -1) == 0);
  CHECK(pvm_nrecv(-1, TAG) == 0);
  /* A hole is filled again. */
  if (me == 1) {
    CHECK(pvm_lvgroup(group) == 0);
    CHECK(pvm_barrier(group, TASKS) == PvmNotInGroup);
    CHECK(pvm_gettid(group, 1) == PvmNoInst);
    CHECK(pvm_joingroup(group) == 1);
  }
  CHECK(pvm_barrier(group, TASKS) == 0);
  CHECK(pvm_freezegroup(group, TASKS) == TASKS);
  compute(me);
  CHECK(pvm_barrier(group, TASKS) == 0);
  n = TASKS;
  for (i = 0; i < 3; i++) CHECK(pvm_barrier(group, n) == 0);
  pvm_exit();
  if (me == 0) printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
