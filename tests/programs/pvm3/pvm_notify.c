/* Notices of ends: by exit, by a signal, by pvm_exit; of tasks that never were; cancelled. What a
   task sent before its end comes before the notice. */
#include "pvm_check.h"

#include <unistd.h>

#define GONE 9
#define WORDS 300

static int notified() {
  int id = pvm_recv(-1, GONE), bytes, tag, source, who;

  CHECK(id > 0);
  pvm_bufinfo(id, &bytes, &tag, &source);
  CHECK(bytes == 4 && source == (int)0x80000000);
  CHECK(pvm_upkint(&who, 1, 1) == 0);
  return who;
}

static void child(how)
char* how;
{
  int i;

  pvm_recv(pvm_parent(), 1);
  for (i = 0; i < WORDS; i++) {
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&i, 1, 1);
    pvm_send(pvm_parent(), 2);
  }
  if (how[0] == 'l') pvm_exit();
  if (how[0] == 'k') pause();
  if (how[0] == 'l') sleep(60);
}

int main(argc, argv)
int argc;
char** argv;
{
  static char* ways[] = {"exit", "kill", "leave"};
  char* arguments[2];
  int kids[3], i, n, value, no_task = 0x5ffff, no_host = 0x80000, other;

  pvm_setopt(PvmAutoErr, 0);
  if (pvm_parent() > 0) {
    child(argv[1]);
    return 0;
  }
  arguments[1] = 0;
  for (i = 0; i < 3; i++) {
    arguments[0] = ways[i];
    CHECK(pvm_spawn("pvm_notify_c", arguments, 0, "", 1, &kids[i]) == 1);
  }
  CHECK(pvm_notify(77, GONE, 3, kids) == PvmBadParam);
  CHECK(pvm_notify(PvmTaskExit, -1, 3, kids) == PvmBadParam);
  CHECK(pvm_notify(PvmTaskExit, GONE, 0, kids) == PvmBadParam);
  CHECK(pvm_notify(PvmTaskExit, GONE, 3, kids) == 0);
  CHECK(pvm_notify(PvmTaskExit, GONE, 1, &no_task) == 0);
  CHECK(notified() == no_task);
  CHECK(pvm_nrecv(-1, GONE) == 0);
  CHECK(pvm_notify(PvmHostDelete, GONE, 1, &no_host) == 0);
  CHECK(notified() == no_host);
  CHECK(pvm_notify(PvmHostDelete, GONE, 1, &no_task) == 0);
  CHECK(pvm_nrecv(-1, GONE) == 0);
  CHECK(pvm_notify(PvmHostDelete | PvmNotifyCancel, GONE, 1, &no_task) == 0);
  CHECK(notified() == no_task);
  CHECK(pvm_notify(PvmTaskExit | PvmNotifyCancel, GONE, 1, &kids[0]) == 0);
  CHECK(notified() == kids[0]);
  CHECK(pvm_notify(PvmTaskExit, GONE, 1, &kids[0]) == 0);
  for (i = 0; i < 3; i++) {
    pvm_initsend(PvmDataDefault);
    pvm_send(kids[i], 1);
    if (i == 1) {
      for (n = 0; n < WORDS; n++) CHECK(pvm_recv(kids[1], 2) > 0);
      pvm_kill(kids[1]);
      CHECK(notified() == kids[1]);
      continue;
    }
    CHECK(notified() == kids[i]);
    for (n = 0; n < WORDS; n++) {
      CHECK(pvm_nrecv(kids[i], 2) > 0);
      pvm_upkint(&value, 1, 1);
      CHECK(value == n);
    }
    CHECK(pvm_pstat(kids[i]) == PvmNoTask);
  }
  other = kids[2];
  pvm_sendsig(other, 9);
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
