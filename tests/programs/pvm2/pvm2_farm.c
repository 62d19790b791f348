/* A master starts its workers and sends at once, to each and to all, before they have enrolled:
   nothing is lost. Then it hands out work to the first that answers. */
#include "pvm2_check.h"

#define WORKERS 4
#define ITEMS 24
#define NAMES 0
#define WORK 1
#define ANSWER 2
#define ME "pvm2_farm_c"

static int worker(me)
int me;
{
  char text[40];
  int item;

  CHECK(rcv(NAMES) == NAMES);
  CHECK(getstring(text) == 0 && strcmp(text, "to all of you") == 0);
  for (;;) {
    CHECK(rcv(WORK) == WORK);
    CHECK(getnint(&item, 1) == 0);
    if (item < 0) break;
    item = item * item + me;
    initsend();
    putnint(&item, 1);
    snd(ME, 0, ANSWER);
  }
  leave();
  return 0;
}

static void hand_out(to, item) int to, item;
{
  initsend();
  CHECK(putnint(&item, 1) == 0);
  CHECK(snd(ME, to, WORK) == 0);
}

int main() {
  int i, me, next = 0, answer, from, type, bytes, sum = 0, expected = 0;
  char name[32];

  me = enroll(ME);
  CHECK(me >= 0);
  if (me > 0) return worker(me);
  for (i = 1; i <= WORKERS; i++) CHECK(initiate(ME, (char*)0) == i);
  for (i = 1; i <= WORKERS; i++) hand_out(i, next++);
  initsend();
  CHECK(putstring("to all of you") == 0);
  CHECK(snd(ME, -1, NAMES) == 0);
  CHECK(rcv(NAMES) == NAMES); /* the sender is one of all */
  for (i = 0; i < ITEMS; i++) {
    CHECK(rcv(-1) == ANSWER);
    CHECK(rcvinfo(&bytes, &type, name, &from) == 0);
    CHECK(bytes == 4 && type == ANSWER && strcmp(name, ME) == 0);
    CHECK(from >= 1 && from <= WORKERS);
    CHECK(getnint(&answer, 1) == 0);
    printf("%d from %d\n", answer, from);
    sum += answer - from;
    hand_out(from, next < ITEMS ? next : -1);
    next++;
  }
  for (i = 0; i < ITEMS; i++) expected += i * i;
  CHECK(sum == expected);
  leave();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
