/* Runs programs one after the other in one virtual machine, as a user would from several windows.
   usage: sequence STEP -- STEP -- ...
   STEP: a program and its arguments; it is waited for until it ends. With `+NAME` in front, only
   until there is a mailbox entry NAME. With `!` in front it is killed at once. */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENDED 1

static void run(step)
char** step;
{
  char* how = strchr("+!", step[0][0]) ? *step++ : "";
  int tid;

  if (pvm_spawn(step[0], step + 1, 0, "", 1, &tid) != 1) {
    printf("%s was not started\n", step[0]);
    exit(1);
  }
  if (how[0] == '+') {
    pvm_recvinfo(how + 1, 0, PvmMboxWaitForInfo);
    return;
  }
  if (how[0] == '!') pvm_kill(tid);
  pvm_notify(PvmTaskExit, ENDED, 1, &tid);
  pvm_recv(-1, ENDED);
}

int main(argc, argv)
int argc;
char** argv;
{
  int first = 1, i;

  for (i = 1; i <= argc; i++) {
    if (i < argc && strcmp(argv[i], "--")) continue;
    argv[i] = 0;
    run(argv + first);
    first = i + 1;
  }
  pvm_exit();
  printf("all steps done\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
