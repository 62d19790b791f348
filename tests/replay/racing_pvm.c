/*
 * racing_pvm.c: as racing.c, in PVM's words. usage: racing_pvm pair|phases|master|notified [stuck]
 */
#include <pvm3.h>
#include <stdio.h>
#include <string.h>

#define DATA 1

static int *tids, tasks, me;

static void put(int to)
{
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&me, 1, 1);
  pvm_send(to, DATA); /* any send */
}

static void begin(void)
{
  int own = pvm_mytid();

  tasks = pvm_siblings(&tids);
  for (me = 0; tids[me] != own; me++)
    ;
  pvm_joingroup("all");
  pvm_barrier("all", tasks);
}

static void pair(void)
{
  begin();
  if (me == 0) {
    pvm_recv(-1, DATA); /* racing receive */
    pvm_recv(-1, DATA);
  } else if (me < 3)
    put(tids[0]);
}

static void phases(void)
{
  int phase;

  begin();
  for (phase = 0; phase < 6; phase++) {
    if (me == 1 + phase % (tasks - 1)) {
      put(tids[0]);
      put(tids[0]);
    }
    if (me == 0) {
      pvm_recv(-1, -1);
      pvm_recv(-1, -1);
    }
    pvm_barrier("all", tasks);
  }
}

/* The first child sends, then the second is started: no race; their last messages race. */
static void master(const char *program)
{
  int child[2], parent = pvm_parent();

  if (parent > 0) {
    put(parent);
    pvm_recv(parent, DATA);
    put(parent);
    return;
  }
  pvm_spawn((char *)program, 0, 0, "", 1, &child[0]);
  pvm_recv(-1, DATA);
  pvm_spawn((char *)program, 0, 0, "", 1, &child[1]);
  pvm_recv(-1, DATA);
  put(child[0]);
  put(child[1]);
  pvm_recv(-1, DATA); /* last race */
  pvm_recv(-1, DATA);
}

/* A child's exit is notified; `stuck`: the notice is never received. */
static void notified(char *program, int stuck)
{
  static char *arguments[] = {"notified", 0};
  int child, parent = pvm_parent();

  if (parent > 0) {
    put(parent);
    return;
  }
  pvm_spawn(program, arguments, 0, "", 1, &child);
  pvm_notify(PvmTaskExit, 9, 1, &child);
  pvm_recv(-1, DATA);
  pvm_recv(-1, stuck ? 77 : -1);
}

int main(int argc, char **argv)
{
  if (argc > 1 && !strcmp(argv[1], "pair"))
    pair();
  else if (argc > 1 && !strcmp(argv[1], "phases"))
    phases();
  else if (argc > 1 && !strcmp(argv[1], "notified"))
    notified(argv[0], argc > 2);
  else
    master(argv[0]);
  pvm_exit();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
