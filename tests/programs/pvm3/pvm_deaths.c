/* A task that is killed does not take the others along: sends to it succeed and vanish. Messages sent
   just before a task ended without pvm_exit() is not lost. */
#include "pvm_check.h"

#include <unistd.h>

#define READY 1
#define WORDS 200

static void child(mode)
char* mode;
{
  int i;

  pvm_initsend(PvmDataDefault);
  if (mode[0] == 'v') {
    pvm_send(pvm_parent(), READY);
    pvm_recv(-1, -1);
  }
  for (i = 0; i < WORDS; i++) {
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&i, 1, 1);
    pvm_send(pvm_parent(), READY);
  }
  if (mode[0] == 'a') _exit(0);
  exit(0);
}

static void receive_deaths_of(arguments)
char** arguments;
{
  int kid, i, n;

  CHECK(pvm_spawn("pvm_deaths_c", arguments, 0, "", 1, &kid) == 1);
  for (i = 0; i < WORDS; i++) {
    CHECK(pvm_recv(kid, READY) > 0);
    CHECK(pvm_upkint(&n, 1, 1) == 0);
    CHECK(n == i);
  }
}

int main(argc, argv)
int argc;
char** argv;
{
  static char victim_word[] = "victim", hasty_word[] = "hasty", abrupt_word[] = "abrupt";
  char* arguments[2];
  int victim, n = 0, missing;

  if (pvm_parent() > 0) {
    child(argv[1]);
    return 0;
  }
  arguments[1] = 0;
  arguments[0] = victim_word;
  CHECK(pvm_spawn("pvm_deaths_c", arguments, 0, "", 1, &victim) == 1);
  CHECK(pvm_recv(victim, READY) > 0);
  CHECK(pvm_pstat(victim) == PvmOk);
  CHECK(pvm_kill(victim) == 0);
  while (pvm_pstat(victim) == PvmOk) usleep(1000);
  CHECK(pvm_pstat(victim) == PvmNoTask);
  pvm_initsend(PvmDataDefault);
  CHECK(pvm_send(victim, READY) == 0);
  CHECK(pvm_mcast(&victim, 1, READY) == 0 && pvm_psend(victim, READY, &n, 1, PVM_INT) == 0);
  CHECK(pvm_kill(victim) == 0 && pvm_sendsig(victim, 9) == 0);

  arguments[0] = hasty_word;
  receive_deaths_of(arguments);
  arguments[0] = abrupt_word;
  receive_deaths_of(arguments);
  CHECK(pvm_spawn("no-such-program", (char**)0, 0, "", 1, &missing) == 0);
  CHECK(missing == PvmNoFile);
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
