/* PVM 3 tasks that wait for each other where EXEC keeps them, one case per argument. */
#include <pvm3.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

enum { tasks = 3 };

/* The task with the highest id waits for a message of the first, which waits for it at the barrier.
 */
static void barrier(void) {
  int tids[tasks], first = 0, last = 0, i;
  pvm_joingroup("g");
  pvm_barrier("g", tasks);
  for (i = 0; i < tasks; i++) {
    tids[i] = pvm_gettid("g", i);
    if (tids[i] < tids[first]) first = i;
    if (tids[i] > tids[last]) last = i;
  }
  if (pvm_mytid() == tids[last]) pvm_recv(tids[first], 5);
  pvm_barrier("g", tasks);
}

/* The first task ends, and no other takes its place at the barrier. */
static void lost_member(void) {
  int own = pvm_mytid(), *tids;
  pvm_siblings(&tids);
  pvm_joingroup("g");
  pvm_barrier("g", tasks);
  if (own != tids[0]) pvm_barrier("g", tasks);
}

/* It has no parent, and waits for a message of it. */
static void no_parent(void) { pvm_recv(pvm_parent(), 6); }

/* Its child, whose output it prints, never ends. */
static void endless_child(char* program) {
  char* again[] = {"endless_child", 0};
  int tid;
  if (pvm_parent() > 0) pvm_recv(-1, 6);
  pvm_catchout(stdout);
  pvm_spawn(program, again, 0, "", 1, &tid);
}

/* No task puts it there. */
static void mailbox(void) { pvm_recvinfo("nothing", 0, PvmMboxWaitForInfo); }

/* Each second it looks whether there is something else to do. */
static void time_limits(void) {
  struct timeval second = {1, 0};
  while (pvm_trecv(-1, 5, &second) == 0) {
  }
}

int main(int argc, char** argv) {
  pvm_mytid();
  if (argc > 1 && strcmp(argv[1], "group") == 0) barrier();
  if (argc > 1 && strcmp(argv[1], "lost_member") == 0) lost_member();
  if (argc > 1 && strcmp(argv[1], "no_parent") == 0) no_parent();
  if (argc > 1 && strcmp(argv[1], "endless_child") == 0) endless_child(argv[0]);
  if (argc > 1 && strcmp(argv[1], "mailbox") == 0) mailbox();
  if (argc > 1 && strcmp(argv[1], "time_limits") == 0) time_limits();
  pvm_exit();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
