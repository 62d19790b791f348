/* A PVM task for the tests of EXEC: starts COUNT tasks of PROGRAM and prints the outcome. */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void child(void) {
  printf("a child's line\n");
  pvm_initsend(PvmDataDefault);
  pvm_send(pvm_parent(), 5);
}

/* Tasks that end by a signal, one on request and one by itself. */
static void spawn_and_kill(char* self) {
  char* waits[] = {"waits", NULL};
  char* crashes[] = {"crashes", NULL};
  int tid = 0;
  int i;
  pvm_spawn(self, waits, PvmTaskDefault, "", 1, &tid);
  printf("killed %d\n", pvm_kill(tid));
  pvm_spawn(self, crashes, PvmTaskDefault, "", 1, &tid);
  for (i = 0; i < 100000 && pvm_pstat(tid) == PvmOk; ++i) {
  }
  printf("still here\n");
}

/* Goes on when its task has been killed. */
static void survive(char* self) {
  char* waits[] = {"waits", NULL};
  int tid = 0;
  pvm_spawn(self, waits, PvmTaskDefault, "", 1, &tid);
  printf("spawned\n");
  while (pvm_pstat(tid) == PvmOk) usleep(1000);
  printf("still here\n");
}

/* Its task prints COUNT lines of 1,000 characters and a newline as fast as it can. */
static void flood(char* self, char* count, int caught) {
  char* words[] = {"prints", count, NULL};
  int tid = 0;
  if (caught) pvm_catchout(stdout);
  pvm_spawn(self, words, PvmTaskDefault, "", 1, &tid);
  pvm_recv(tid, 5);
  printf("it has ended\n");
}

/* Its output and its task's answer, by turns. */
static void alternate(char* self, int rounds) {
  char* words[] = {"answers", NULL};
  int tid = 0;
  int i;
  printf("parent\n");
  pvm_catchout(stdout);
  pvm_spawn(self, words, PvmTaskDefault, "", 1, &tid);
  for (i = 0; i <= rounds; ++i) {
    if (i != 0) pvm_recv(tid, 5);
    printf("parent %d\n", i);
    pvm_initsend(PvmDataDefault);
    pvm_send(tid, i == rounds ? 7 : 6);
  }
  pvm_exit();
  printf("parent\n");
}

static void answer(void) {
  int tag = 6;
  for (;;) {
    pvm_bufinfo(pvm_recv(pvm_parent(), -1), NULL, &tag, NULL);
    if (tag != 6) return;
    printf("task\n");
    pvm_initsend(PvmDataDefault);
    pvm_send(pvm_parent(), 5);
  }
}

/* All tasks end, this one too. */
static void halt(char* self) {
  char* waits[] = {"waits", NULL};
  int tid = 0;
  pvm_spawn(self, waits, PvmTaskDefault, "", 1, &tid);
  printf("halts\n");
  fflush(stdout);
  pvm_halt();
  pvm_recv(-1, 77);
}

/* The console's reset is to spare it. */
static void stay(void) {
  pvm_setopt(PvmNoReset, 1);
  printf("stays\n");
  fflush(stdout);
  pvm_recv(-1, 77);
}

/* Both wait for each other. */
static void end_in_deadlock(char* self) {
  char* waits[] = {"waits", NULL};
  int tid = 0;
  pvm_spawn(self, waits, PvmTaskDefault, "", 1, &tid);
  pvm_recv(tid, 5);
}

static void print_lines(long count) {
  for (; count > 0; --count) printf("%01000ld\n", count);
  child();
}

int main(int argc, char** argv) {
  int tids[512];
  int got;
  int i;
  pvm_mytid();
  if (argc > 1 && strcmp(argv[1], "stays") == 0) stay();
  if (argc > 1 && strcmp(argv[1], "waits") == 0) pvm_recv(-1, 77);
  if (argc > 1 && strcmp(argv[1], "crashes") == 0) abort();
  if (argc > 1 && strcmp(argv[1], "answers") == 0) {
    answer();
  } else if (argc > 2 && strcmp(argv[1], "alternate") == 0) {
    alternate(argv[0], atoi(argv[2]));
  } else if (argc > 2 && strcmp(argv[1], "prints") == 0) {
    print_lines(atol(argv[2]));
  } else if (pvm_parent() > 0) {
    child();
  } else if (strcmp(argv[1], "kill") == 0) {
    spawn_and_kill(argv[0]);
  } else if (strcmp(argv[1], "flood") == 0) {
    flood(argv[0], argv[2], argc > 3);
  } else if (strcmp(argv[1], "halt") == 0) {
    halt(argv[0]);
  } else if (strcmp(argv[1], "deadlock") == 0) {
    end_in_deadlock(argv[0]);
  } else if (strcmp(argv[1], "survive") == 0) {
    survive(argv[0]);
  } else {
    got = pvm_spawn(argv[1], NULL, PvmTaskDefault, "", atoi(argv[2]), tids);
    printf("spawned %d\n", got);
    for (i = 0; i < got; ++i) pvm_recv(-1, 5);
    if (got < atoi(argv[2])) printf("error %d\n", tids[got < 0 ? 0 : got]);
  }
  pvm_exit();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
