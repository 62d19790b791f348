/* The results of a program's mistakes: PVM's own codes, and nothing is lost by them. */
#include "pvm_check.h"

#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define NOTE 1
#define ASK 2

static char group[] = "mistakes";

/* Numbers, encodings and unpacking. */
static void with_buffers()
{
  int value = 7, bad = -1;
  double many[4];
  char text[16];
  struct timeval earlier;

  CHECK(pvm_initsend(99) == PvmBadParam && pvm_mkbuf(-1) == PvmBadParam);
  CHECK(pvm_freebuf(-1) == PvmBadParam && pvm_freebuf(12345) == PvmNoSuchBuf);
  CHECK(pvm_setsbuf(12345) == PvmNoSuchBuf && pvm_setrbuf(-3) == PvmBadParam);
  CHECK(pvm_bufinfo(0, (int*)0, (int*)0, (int*)0) == PvmBadParam);
  CHECK(pvm_pkint(&value, 1, 1) == PvmNoBuf && pvm_upkint(&value, 1, 1) == PvmNoBuf);
  CHECK(pvm_send(pvm_mytid(), NOTE) == PvmNoBuf);
  CHECK(pvm_initsend(PvmDataDefault) > 0);
  CHECK(pvm_pkint(&value, -1, 1) == PvmBadParam);
  CHECK(pvm_pkint(&value, 1, 1) == 0);
  CHECK(pvm_send(-1, NOTE) == PvmBadParam && pvm_send(0x40000, NOTE) == PvmBadParam);
  CHECK(pvm_send(pvm_mytid(), -1) == PvmBadParam);
  CHECK(pvm_mcast(&bad, 1, NOTE) == PvmBadParam && pvm_mcast((int*)0, -1, NOTE) == PvmBadParam);
  CHECK(pvm_psend(pvm_mytid(), NOTE, (char*)&value, 1, 77) == PvmBadParam);
  /* Fewer than none, and earlier than now, are none and now. */
  CHECK(pvm_psend(pvm_mytid(), NOTE, (char*)&value, -3, PVM_INT) == PvmOk);
  value = 12;
  CHECK(pvm_precv(-1, NOTE, (char*)&value, -1, PVM_INT, &bad, &bad, &bad) == PvmOk);
  CHECK(value == 12 && bad == 0);
  earlier.tv_sec = -1;
  earlier.tv_usec = 0;
  CHECK(pvm_trecv(-1, NOTE, &earlier) == 0);
  CHECK(pvm_send(0x5ffff, NOTE) == 0);
  CHECK(pvm_send(pvm_mytid(), NOTE) == 0);
  CHECK(pvm_recv(pvm_mytid(), NOTE) > 0);
  /* Too much, of another type: the data is there, and the end is the end. */
  CHECK(pvm_upkdouble(many, 4, 1) == PvmNoData);
  CHECK(pvm_upkstr(text) == PvmNoData && pvm_upkint(&value, 1, 1) == PvmNoData);
}

static void with_tasks()
{
  static char* hosts[] = {"no-such-host"};
  int tids[3], i, value, no_host = 0;

  CHECK(pvm_spawn("no-such-program", (char**)0, 0, "", 3, tids) == 0);
  for (i = 0; i < 3; i++) CHECK(tids[i] == PvmNoFile);
  CHECK(pvm_spawn("no-such-program", (char**)0, 0, "", 0, tids) == PvmBadParam);
  CHECK(pvm_spawn("pvm_mistakes_c", (char**)0, PvmTaskHost, "nowhere", 1, tids) == 0);
  CHECK(tids[0] == PvmNoHost);
  CHECK(pvm_kill(-7) == PvmBadParam && pvm_sendsig(0x40000, 15) == PvmBadParam);
  CHECK(pvm_kill(0x5ffff) == 0 && pvm_pstat(0x5ffff) == PvmNoTask);
  CHECK(pvm_notify(PvmTaskExit, NOTE, 0, tids) == PvmBadParam);
  CHECK(pvm_notify(99, NOTE, 1, tids) == PvmBadParam);
  CHECK(pvm_notify(PvmRouteDelete, NOTE, 0, tids) == PvmBadParam);
  CHECK(pvm_notify(PvmHostDelete, NOTE, 1, &no_host) == PvmOk && pvm_recv(-1, NOTE) > 0);
  CHECK(pvm_tasks(pvm_mytid() | 0x40000000, &value, (struct pvmtaskinfo**)0) == PvmOk);
  CHECK(value == 0);
  CHECK(pvm_addhosts(hosts, 0, &value) == PvmBadParam);
  CHECK(pvm_addhosts(hosts, 1, &value) == 0 && value == PvmCantStart);
  CHECK(pvm_delhosts(hosts, 1, &value) == 0 && value == PvmNoHost);
  CHECK(pvm_start_pvmd(0, (char**)0, 0) == PvmDupHost && pvm_perror("a mistake") == 0);
  CHECK(pvm_export("") == PvmOk && pvm_unexport("") == PvmOk);
  /* The code of output that goes nowhere stays as it is. */
  CHECK(pvm_setopt(PvmSelfOutputCode, 7) == 0 && pvm_getopt(PvmSelfOutputCode) == 0);
  CHECK(pvm_setopt(99, 1) == PvmBadParam && pvm_freecontext(77) == PvmNotFound);
}

static void second(type, x, y, count, info)
int* type;
void* x;
void* y;
int *count, *info;
{
  memcpy(x, y, *count);
  *info = PvmOk;
}

/* Groups know no unsigned numbers. Strings are bytes to a function of one's own, and only the root is
   warned that no other task can use them. */
static void with_types(code)
int code;
{
  unsigned number = 1, numbers[2];
  char text[2], texts[4];

  strcpy(text, "a");
  CHECK(pvm_reduce(PvmMax, &number, 1, PVM_UINT, NOTE, group, 0) == PvmBadParam);
  CHECK(pvm_gather(numbers, &number, 1, PVM_UINT, NOTE, group, 0) == PvmBadParam);
  CHECK(pvm_scatter(&number, numbers, 1, PVM_ULONG, NOTE, group, 0) == PvmBadParam);
  CHECK(pvm_reduce(PvmMax, text, 2, PVM_STR, NOTE, group, 0) == code);
  CHECK(pvm_reduce(second, text, 2, PVM_STR, NOTE, group, 0) == PvmOk);
  CHECK(pvm_gather(texts, text, 2, PVM_STR, NOTE, group, 0) == code);
  CHECK(pvm_scatter(text, texts, 2, PVM_STR, NOTE, group, 0) == PvmBadParam);
}

/* Two members; a failed request of one of them must not harm the other. */
static void with_groups(me)
int me;
{
  int value = 1, all[2];

  CHECK(pvm_joingroup("") == PvmNullGroup && pvm_joingroup(group) == PvmDupGroup);
  CHECK(pvm_lvgroup("absent") == PvmNoGroup && pvm_barrier("absent", 1) == PvmNoGroup);
  CHECK(pvm_barrier(group, 0) == PvmBadParam && pvm_barrier(group, -5) == PvmMismatch);
  CHECK(pvm_barrier(group, 2) == 0);
  CHECK(pvm_gettid(group, 9) == PvmNoInst && pvm_gettid(group, -1) == PvmNoInst);
  CHECK(pvm_getinst(group, 0x5ffff) == PvmNotInGroup && pvm_getinst(group, -1) == 2);
  CHECK(pvm_freezegroup(group, -2) == PvmMismatch);
  CHECK(pvm_reduce(PvmSum, &value, 0, PVM_INT, NOTE, group, 0) == PvmBadParam);
  CHECK(pvm_gather(all, &value, 1, PVM_INT, NOTE, group, 2) == PvmNoInst);
  CHECK(pvm_barrier(group, 2) == 0);
  with_types(me == 0 ? PvmBadParam : PvmOk);
  CHECK(pvm_barrier(group, 2) == 0);
  /* The first of a round says how many are to come; a member with another number gets an error, and the round
     goes on. A round of one is over at once. */
  if (me == 0) {
    while (pvm_barrier(group, 1) == 0) usleep(1000);
    CHECK(pvm_barrier(group, 1) == PvmMismatch && pvm_barrier(group, 3) == PvmMismatch);
  }
  CHECK(pvm_barrier(group, 2) == 0);
  if (me == 0) {
    CHECK(pvm_lvgroup(group) == 0 && pvm_barrier(group, 2) == PvmNotInGroup);
    CHECK(pvm_send(pvm_gettid(group, 1), ASK) == 0);
    return;
  }
  /* The first number is free now, and pieces go by number. */
  CHECK(pvm_recv(pvm_parent(), ASK) > 0);
  CHECK(pvm_gather(all, &value, 1, PVM_INT, NOTE, group, 1) == PvmNoInst);
  CHECK(pvm_scatter(&value, all, 1, PVM_INT, NOTE, group, 1) == PvmNoInst);
}

int main()
{
  int kid;

  pvm_setopt(PvmAutoErr, 0);
  with_buffers();
  if (pvm_parent() > 0) {
    CHECK(pvm_joingroup(group) == 1);
    with_groups(1);
    pvm_exit();
    return 0;
  }
  with_tasks();
  CHECK(pvm_joingroup(group) == 0);
  CHECK(pvm_spawn("pvm_mistakes_c", (char**)0, 0, "", 1, &kid) == 1);
  pvm_initsend(PvmDataDefault);
  with_groups(0);
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
