/* Workers send long messages for ever and are killed at random instants; their master receives from
   anybody, in all ways, and goes on until it knows of every death: lost_farm WORKERS KILLS SEED */
#include <pvm3.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define MOST 600000
#define PID 1
#define DATA 2
#define DEATH 3

static char bytes[MOST];

static void work(int parent) {
  int pid = getpid(), size, i;
  srand(pid);
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&pid, 1, 1);
  pvm_send(parent, PID);
  for (;;) {
    size = 20000 + rand() % (MOST - 20000);
    memset(bytes, size % 251, size);
    pvm_initsend(PvmDataRaw);
    pvm_pkint(&size, 1, 1);
    pvm_pkbyte(bytes, size, 1);
    pvm_send(parent, DATA);
    for (i = 0; i < rand() % 50; i++) getppid();
  }
}

static void fail(const char* why, int code) {
  printf("%s: %d\n", why, code);
  pvm_exit();
  exit(1);
}

/* The next message from any source, by any call. */
static int receive(void) {
  struct timeval wait = {0, 2000};
  int got;
  for (;;) {
    switch (rand() % 4) {
      case 0:
        return pvm_recv(-1, -1);
      case 1:
        got = pvm_trecv(-1, -1, &wait);
        break;
      case 2:
        got = pvm_nrecv(-1, -1);
        break;
      default:
        got = pvm_probe(-1, -1);
        if (got > 0) got = pvm_recv(-1, -1);
    }
    if (got != 0) return got;
  }
}

static void check(void) {
  int size, i;
  if (pvm_upkint(&size, 1, 1) < 0 || size < 0 || size > MOST) fail("no size", size);
  if (pvm_upkbyte(bytes, size, 1) < 0) fail("not whole", size);
  for (i = 0; i < size; i++)
    if (bytes[i] != (char)(size % 251)) fail("wrong bytes from place", i);
}

int main(int argc, char** argv) {
  int me = pvm_mytid(), parent = pvm_parent(), pids[64], kills, alive = 0, deaths = 0, got = 0, i;
  if (me < 0 || argc < 1) return 2;
  if (parent >= 0) work(parent);
  if (argc < 4) return 2;
  kills = atoi(argv[2]);
  srand(atoi(argv[3]));
  memset(pids, 0, sizeof pids);
  for (; alive < atoi(argv[1]) || deaths < kills;) {
    int id, tag, from, tid, pid;
    if (alive < atoi(argv[1]) && deaths + alive < kills) {
      if (pvm_spawn(argv[0], 0, 0, "", 1, &tid) != 1) fail("not spawned", tid);
      if (pvm_notify(PvmTaskExit, DEATH, 1, &tid) < 0) fail("no notice", tid);
      ++alive;
      continue;
    }
    if (alive == 0) break;
    id = receive();
    if (id < 0) fail("a receive from anybody fails", id);
    pvm_bufinfo(id, (int*)0, &tag, &from);
    if (tag == DEATH) {
      --alive;
      ++deaths;
    } else if (tag == PID) {
      pvm_upkint(&pid, 1, 1);
      for (i = 0; pids[i]; i++) {
      }
      pids[i] = pid;
    } else {
      check();
      ++got;
    }
    for (i = 0; i < 63 && pids[i]; i++) {
    }
    if (i > 0 && rand() % 6 == 0) {
      int victim = rand() % i;
      kill(pids[victim], SIGKILL);
      pids[victim] = pids[i - 1];
      pids[i - 1] = 0;
    }
  }
  printf("%d messages, %d deaths\n", got, deaths);
  pvm_exit();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
