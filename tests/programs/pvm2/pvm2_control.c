/* Starting and ending processes: numbers, names of their own, status, terminate, coming back. */
#include "pvm2_check.h"

#define ME "pvm2_control_c"
#define HELLO 1

/* The first child goes on under another name, the others wait to be ended. */
static int child(me)
int me;
{
  if (me == 1) {
    leave();
    CHECK(enroll("renamed") == 0);
  }
  initsend();
  snd(ME, 0, HELLO);
  waituntil("the end that never comes");
  return 1;
}

int main() {
  int me = enroll(ME), i, from, renamed = 0;
  char name[32];

  CHECK(me >= 0);
  if (me > 0) return child(me);
  CHECK(initiate("there is no such program", (char*)0) == PvmNoFile);
  CHECK(initiate(ME, "SUN4") == PvmNoHost && initiateM(ME, "no.such.host") == PvmNoHost);
  CHECK(initiate("", (char*)0) == PvmBadParam);
  CHECK(initiate("a name that has more characters than there may be", "") == PvmTooLong);
  CHECK(status(ME, 1) == 0 && terminate(ME, 1) == PvmNoComp);
  CHECK(initiate(ME, "") == 1 && initiateM(ME, ".") == 2 && initiate(ME, "LINUX64") == 3);
  for (i = 1; i <= 3; i++) {
    CHECK(rcv(HELLO) == HELLO);
    CHECK(rcvinfo((int*)0, (int*)0, name, &from) == 0);
    if (strcmp(name, "renamed") == 0)
      renamed += from == 0;
    else
      CHECK(strcmp(name, ME) == 0 && from >= 2);
  }
  CHECK(renamed == 1);
  CHECK(status(ME, 0) == 1 && status(ME, 3) == 1 && status("renamed", 0) == 1);
  CHECK(terminate("renamed", 0) == 0 && terminate(ME, 2) == 0 && terminate(ME, 3) == 0);
  while (status(ME, 2) == 1 || status(ME, 3) == 1 || status("renamed", 0) == 1)
    ;
  initsend();
  CHECK(snd(ME, 2, HELLO) == 0); /* gone: the message is, too */

  CHECK(leave() == 0);
  CHECK(rcv(HELLO) == PvmSysErr);
  CHECK(enroll(ME) == 4);
  CHECK(status(ME, 0) == 0 && status(ME, 4) == 1);
  leave();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
