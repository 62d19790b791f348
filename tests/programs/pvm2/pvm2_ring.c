/* Processes that the user started together: instances are theirs in order, messages may come before
   their receiver has enrolled, barriers and events hold them together. */
#include "pvm2_check.h"

#define ME "pvm2_ring_c"
#define TOKEN 5

/* The first to come fixes the number: the other gets an error for another number. */
void odd_numbers(int me) {
  int count = me == 1 ? 3 : 2, answer;

  if (me == 2) {
    CHECK(rcv(TOKEN) == TOKEN && getnint(&count, 1) == 0);
    if (count == 3) CHECK(barrier("odd", count) == 0);
    return;
  }
  answer = barrier("odd", count);
  if (answer == PvmMismatch) count = 5 - count;
  if (me == 0) {
    initsend();
    putnint(&count, 1);
    CHECK(snd(ME, 2, TOKEN) == 0);
  }
  CHECK(answer == 0 || (answer == PvmMismatch && barrier("odd", count) == 0));
}

int main() {
  int me, mine, others = 0, token = 0, hosts, formats;
  char name[32];

  CHECK(snd(ME, 0, TOKEN) == PvmSysErr); /* not enrolled */
  me = enroll(ME);
  CHECK(me >= 0);
  CHECK(enroll(ME) == PvmAlready);
  CHECK(whoami(name, &mine) == 0 && strcmp(name, ME) == 0 && mine == me);
  while (status(ME, others) == 1) others++;
  CHECK(others >= 1 && me < others);
  if (me == 0) {
    initsend();
    putnint(&token, 1);
    CHECK(snd(ME, 1 % others, TOKEN) == 0);
  }
  CHECK(rcv(TOKEN) == TOKEN);
  CHECK(getnint(&token, 1) == 0);
  CHECK(token == (me + others - 1) % others);
  if (me > 0) {
    initsend();
    putnint(&me, 1);
    CHECK(snd(ME, (me + 1) % others, TOKEN) == 0);
  }
  CHECK(barrier("the end", 0) == PvmBadParam);
  CHECK(barrier("the end", others) == 0);
  if (others > 2 && me < 3) odd_numbers(me);
  if (me == 0) CHECK(ready("whistle") == 0);
  CHECK(waituntil("whistle") == 0);
  CHECK(waituntil("whistle") == 0); /* it stays announced */
  CHECK(pstatus(&hosts, &formats) >= 1);
  CHECK(hosts >= 1 && formats == 1);
  CHECK(barrier("out", others) == 0);
  leave();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
