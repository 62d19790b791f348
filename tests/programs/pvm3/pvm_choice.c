/* How a receive chooses with a function of the program's own (pvm_recvf): the largest answer wins,
   of equals the earliest, 1 ends the search, a negative one the receive; groups are not its concern. */
#include "pvm_check.h"

#define FIRST 10
#define MESSAGES 6

/* The answer for the n-th message, and the number of messages asked about. */
static int *answers, asked, wanted_tid, wanted_tag;

static int by_list(id, tid, tag)
int id, tid, tag;
{
  int its_tag;

  asked++;
  wanted_tid = tid;
  wanted_tag = tag;
  CHECK(pvm_bufinfo(id, (int*)0, &its_tag, (int*)0) == 0);
  return answers[its_tag - FIRST];
}

/* The tag of the received message. */
static int taken(list)
int* list;
{
  int id, tag;

  answers = list;
  asked = 0;
  id = pvm_recv(77, -5);
  if (id < 0) return id;
  CHECK(pvm_getrbuf() == id);
  CHECK(pvm_bufinfo(id, (int*)0, &tag, (int*)0) == 0);
  return tag;
}

static void send_all()
{
  int i, me = pvm_mytid();

  for (i = 0; i < MESSAGES; i++) {
    pvm_initsend(PvmDataDefault);
    CHECK(pvm_send(me, FIRST + i) == 0);
  }
  /* Another selector lets all of them arrive. */
  while (pvm_probe(me, FIRST + MESSAGES - 1) == 0) continue;
}

int main()
{
  static int ranked[] = {2, 5, 3, 5, 0, 4}, first[] = {0, 0, 7, 9, 1, 9};
  static int bad[] = {PvmDenied, 9, 9, 9, 9, 9}, any[] = {1, 1, 1, 1, 1, 1};
  int (*usual)(), value = 3;

  pvm_setopt(PvmAutoErr, 0);
  send_all();
  usual = pvm_recvf(by_list);
  CHECK(usual != 0);
  CHECK(taken(ranked) == FIRST + 1 && asked == MESSAGES);
  CHECK(wanted_tid == 77 && wanted_tag == -5);
  CHECK(taken(ranked) == FIRST + 3 && asked == MESSAGES - 1);
  /* Left: 10, 12, 14, 15. A 1 is taken at once, also with a better one before or behind it. */
  CHECK(taken(first) == FIRST + 4 && asked == 3);
  CHECK(taken(bad) == PvmDenied && asked == 1);
  CHECK(pvm_getrbuf() == 0);

  CHECK(pvm_joingroup("choosers") == 0);
  answers = bad;
  CHECK(pvm_barrier("choosers", 1) == 0);
  CHECK(pvm_reduce(PvmSum, &value, 1, PVM_INT, 1, "choosers", 0) == 0 && value == 3);
  CHECK(pvm_lvgroup("choosers") == 0);

  CHECK(taken(any) == FIRST && taken(any) == FIRST + 2 && taken(any) == FIRST + 5);
  /* Without a message the function is not called. */
  answers = bad;
  asked = 0;
  CHECK(pvm_nrecv(-1, -1) == 0 && asked == 0);
  CHECK(pvm_recvf(usual) == by_list);
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
