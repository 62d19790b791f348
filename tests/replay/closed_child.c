/*
 * closed_child.c: a task whose output its parent catches closes it and ends, so that the notice that
 * all of it was printed and the notice that the task has ended come to the parent in either order.
 */
#include <stdio.h>
#include <unistd.h>

#include "pvm3.h"

#define READY 2
#define ENDED 3

static void be_child(void)
{
  int word = 7;

  pvm_initsend(PvmDataDefault);
  pvm_pkint(&word, 1, 1);
  pvm_send(pvm_parent(), READY);
  fflush(stdout);
  close(1);
  close(2);
  pvm_exit();
}

int main(int argc, char **argv)
{
  int child;

  (void)argc;
  pvm_mytid();
  if (pvm_parent() > 0) {
    be_child();
    return 0;
  }
  pvm_catchout(stderr);
  pvm_spawn(argv[0], 0, 0, "", 1, &child);
  pvm_notify(PvmTaskExit, ENDED, 1, &child);
  pvm_recv(-1, READY);
  puts("ready");
  pvm_exit();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
