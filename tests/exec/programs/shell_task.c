/* A PVM program as users type it at the shell: no EXEC has started it. Its action is
   its first word. */
#include <pvm3.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put(int tid, int tag, int value) {
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&value, 1, 1);
  pvm_send(tid, tag);
}

static int take(int tag) {
  int value = -1;
  if (pvm_recv(-1, tag) <= 0) return -1;
  pvm_upkint(&value, 1, 1);
  return value;
}

/* Its tasks print their tids and their parents'. */
static void child(void) {
  printf("a line of a task\n");
  put(pvm_parent(), 1, pvm_mytid());
  if (getenv("TASKS_WAIT")) pvm_recv(-1, 99);
}

static void farm(char* self) {
  int tids[3], n, i, right = 0;
  char* words[] = {"child", NULL};
  n = pvm_spawn(self, words, PvmTaskDefault, "", 3, tids);
  for (i = 0; i < n; i++) {
    int const from = take(1);
    right += from == tids[0] || from == tids[1] || from == tids[2];
  }
  printf("master t%x of %d, %d of %d tasks\n", pvm_mytid(), pvm_parent(), right, n);
}

/* Its knowledge from before stays true when it has become part of a virtual machine. */
static void keeps_what_it_has(char* self) {
  int me = pvm_mytid(), contexts[3], tid, i;
  char* words[] = {"child", NULL};
  for (i = 0; i < 3; i++) contexts[i] = pvm_newcontext();
  pvm_freecontext(contexts[1]);
  printf("spawned %d, same tid %d\n", pvm_spawn(self, words, 0, "", 1, &tid), me == pvm_mytid());
  printf("contexts %x %x %x %x, freed %d", contexts[0], contexts[1], contexts[2], pvm_newcontext(),
         pvm_freecontext(contexts[1]));
  printf(" %d\n", pvm_freecontext(contexts[2]));
  take(1);
}

static void tasks(void) {
  struct pvmtaskinfo* list;
  int n, i;
  pvm_tasks(0, &n, &list);
  for (i = 0; i < n; i++) printf("t%x ", list[i].ti_tid);
  printf("\n");
}

static void meet(char* group) {
  int const instance = pvm_joingroup(group);
  pvm_barrier(group, 2);
  if (instance == 0) {
    pvm_initsend(PvmDataDefault);
    pvm_pkstr("by mail");
    pvm_putinfo("post", pvm_getsbuf(), PvmMboxDefault);
    printf("instance 0, got %d\n", take(5));
  } else {
    char text[20] = "";
    pvm_recvinfo("post", 0, PvmMboxWaitForInfo);
    pvm_upkstr(text);
    put(pvm_gettid(group, 0), 5, 55);
    printf("instance %d, %s\n", instance, text);
  }
  pvm_barrier(group, 2);
}

static void await_end(char* whose) {
  int tid = (int)strtol(whose, NULL, 16);
  pvm_notify(PvmTaskExit, 6, 1, &tid);
  printf("asked\n");
  printf("t%x has ended\n", take(6));
}

static void catches(char* self) {
  int tid;
  char* words[] = {"child", NULL};
  pvm_catchout(stdout);
  pvm_spawn(self, words, 0, "", 1, &tid);
  take(1);
}

int main(int argc, char** argv) {
  char const* what = argc > 1 ? argv[1] : "";
  setlinebuf(stdout);
  if (strcmp(what, "child") == 0) child();
  if (strcmp(what, "farm") == 0) farm(argv[0]);
  if (strcmp(what, "keep") == 0) keeps_what_it_has(argv[0]);
  if (strcmp(what, "tasks") == 0) tasks();
  if (strcmp(what, "meet") == 0) meet(argv[2]);
  if (strcmp(what, "await") == 0) await_end(argv[2]);
  if (strcmp(what, "catch") == 0) catches(argv[0]);
  if (strcmp(what, "send") == 0) put((int)strtol(argv[2], NULL, 16), 2, 42);
  if (strcmp(what, "halt") == 0) pvm_halt();
  if (strcmp(what, "start") == 0) printf("%d", pvm_start_pvmd(0, NULL, 1)), tasks();
  if (strcmp(what, "wait") == 0) {
    printf("t%x\n", pvm_mytid());
    printf("got %d\n", take(2));
  }
  if (strcmp(what, "alone") == 0) {
    int hosts, me = pvm_mytid();
    put(me, 3, 4);
    printf("%d %x %d ", take(3), pvm_newcontext(), pvm_config(&hosts, NULL, NULL));
    tasks();
  }
  if (strcmp(what, "leave") == 0) {
    printf("t%x\n", pvm_mytid());
    pvm_exit();
    while (getchar() != EOF) {
    }
    printf("still here\n");
    return 0;
  }
  pvm_exit();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
