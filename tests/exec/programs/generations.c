/* A farm that replaces its tasks for ever: `generations SPAWNS`. More of them than the job has
   places (--max-processes), so that new tasks get the places of old ones. What an old one has sent
   is received under its own tid, later than its successor lives; what is sent to it vanishes; notices
   name it; and no two tasks that live, nor a new and a recent one, have the same tid. */
#include "../../programs/pvm3/pvm_check.h"

#include <unistd.h>

#define WORK 1
#define RESULT 2
#define ENDED 3
#define KEPT 4
#define LONG 30000

#define AT_ONCE 6
#define KEPT_FOR 100

static char text[LONG];

static void child(argument)
char* argument;
{
  int number, expected = atoi(argument), parent = pvm_parent(), i;

  CHECK(pvm_recv(-1, -1) > 0);
  CHECK(pvm_upkint(&number, 1, 1) == 0);
  CHECK(number == expected);
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&number, 1, 1);
  CHECK(pvm_send(parent, RESULT) == 0);
  for (i = 0; i < LONG; i++) text[i] = (char)(number + i);
  pvm_initsend(PvmDataRaw);
  pvm_pkbyte(text, number % 3 == 0 ? LONG : 8, 1);
  CHECK(pvm_send(parent, KEPT) == 0);
  if (number % 2) pvm_exit();
  exit(0);
}

static int begin(number)
int number;
{
  char word[20];
  char* arguments[2];
  int tid;

  sprintf(word, "%d", number);
  arguments[0] = word;
  arguments[1] = 0;
  CHECK(pvm_spawn("generations", arguments, 0, "", 1, &tid) == 1);
  CHECK(pvm_notify(PvmTaskExit, ENDED, 1, &tid) == 0);
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&number, 1, 1);
  CHECK(pvm_send(tid, WORK) == 0);
  return tid;
}

static void receive_kept(tid, number)
int tid, number;
{
  int bytes, tag, from, i, length = number % 3 == 0 ? LONG : 8;
  int buffer = pvm_recv(tid, KEPT);

  CHECK(buffer > 0);
  CHECK(pvm_bufinfo(buffer, &bytes, &tag, &from) == 0);
  CHECK(from == tid);
  CHECK(bytes == length);
  CHECK(pvm_upkbyte(text, length, 1) == 0);
  for (i = 0; i < length; i++) CHECK(text[i] == (char)(number + i));
}

int main(argc, argv)
int argc;
char** argv;
{
  int spawns, started, ended = 0, tid, number, *tids, i, late = -7;

  if (pvm_parent() > 0) {
    child(argv[1]);
    return 0;
  }
  spawns = argc > 1 ? atoi(argv[1]) : 200;
  tids = (int*)malloc(spawns * sizeof(int));
  for (started = 0; started < AT_ONCE; started++) tids[started] = begin(started);
  while (ended < spawns) {
    CHECK(pvm_recv(-1, ENDED) > 0);
    CHECK(pvm_upkint(&tid, 1, 1) == 0);
    for (number = started - 1; number >= 0 && tids[number] != tid; number--) continue;
    CHECK(number >= 0);
    CHECK(pvm_recv(tid, RESULT) > 0);
    CHECK(pvm_upkint(&i, 1, 1) == 0);
    CHECK(i == number);
    ended++;
    CHECK(pvm_pstat(tid) == PvmNoTask);
    /* To one that has ended long ago, and whose slot may be another's. */
    if (ended % 10 == 0 && ended > KEPT_FOR) {
      pvm_initsend(PvmDataDefault);
      pvm_pkint(&late, 1, 1);
      CHECK(pvm_send(tids[ended - KEPT_FOR], WORK) == 0);
      CHECK(pvm_pstat(tids[ended - KEPT_FOR]) == PvmNoTask);
    }
    if (ended == spawns / 2) {
      CHECK(pvm_notify(PvmTaskExit, ENDED + 10, 1, &tids[0]) == 0);
      CHECK(pvm_recv(-1, ENDED + 10) > 0);
      CHECK(pvm_upkint(&tid, 1, 1) == 0);
      CHECK(tid == tids[0]);
    }
    if (ended > KEPT_FOR) receive_kept(tids[ended - KEPT_FOR - 1], ended - KEPT_FOR - 1);
    if (started < spawns) {
      tids[started] = begin(started);
      for (i = started - 1; i >= 0 && i > started - 1000; i--) CHECK(tids[i] != tids[started]);
      started++;
    }
  }
  for (i = spawns > KEPT_FOR ? spawns - KEPT_FOR : 0; i < spawns; i++) receive_kept(tids[i], i);
  CHECK(pvm_probe(-1, -1) == 0);
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
