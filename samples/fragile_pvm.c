/*
 * fragile_pvm.c: as fragile_nx.c, in PVM's words. usage: fragile_pvm tried|given
 */
#include <pvm3.h>
#include <string.h>

#define READY 1
#define GO 2
#define DONE 3
#define STOP 4
#define CHAT 9

static int *tids, tasks, me;

static void put(int task, int tag)
{
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&me, 1, 1);
  pvm_send(tids[task], tag);
}

static int get(int tag)
{
  int from = -1;

  pvm_recv(-1, tag);
  pvm_upkint(&from, 1, 1);
  return from;
}

/* Gives the tag. */
static int get_any(void)
{
  int bytes, tag, from;

  pvm_bufinfo(pvm_recv(-1, -1), &bytes, &tag, &from);
  return tag;
}

/* Task 0 tries to receive what is nearly always there. */
static void tried(void)
{
  if (me == 0) {
    get(CHAT);
    if (pvm_nrecv(-1, READY) > 0) put(1, GO);
    get(DONE);
  } else if (me == 1) {
    put(0, READY);
    put(2, CHAT);
    get(GO); /* tried waits here */
    put(0, DONE);
  } else if (me == 2) {
    get(CHAT);
    put(0, CHAT);
  }
}

/* The first task that is ready may go on; it is taken for task 1. */
static void given(void)
{
  int i;

  if (me == 0) {
    put(get(READY), GO);
    put(get(READY), STOP);
    pvm_recv(tids[1], DONE); /* given waits here */
  } else if (me < 3) {
    for (i = 0; me == 2 && i < 20; i++) {
      put(3, CHAT);
      get(CHAT);
    }
    put(0, READY);
    if (get_any() == GO) put(0, DONE);
  } else
    for (i = 0; i < 20; i++) {
      get(CHAT);
      put(2, CHAT);
    }
}

int main(int argc, char **argv)
{
  char const *which = argc > 1 ? argv[1] : "";
  int own = pvm_mytid();

  tasks = pvm_siblings(&tids);
  for (me = 0; tids[me] != own; me++)
    ;
  if (!strcmp(which, "tried")) tried();
  if (!strcmp(which, "given")) given();
  pvm_exit();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
