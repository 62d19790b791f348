/* A PVM task for the tests of several hosts, where each host's name is its own name: prints which hosts
 * there are and the hosts of its tasks, and checks that all of them see the same. */
#include <pvm3.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(truth) ((truth) ? (void)0 : complain(#truth, __LINE__))
#define MOST 32

enum { REPORT = 1, TABLE, GO, GONE };

static int hosts;
static struct pvmhostinfo* host;
static char* self;

static void complain(char const* truth, int line) {
  printf("line %d: not so: %s\n", line, truth);
  fflush(stdout);
  pvm_halt();
  pause();
}

static char const* name_of(int tid) {
  int i;
  for (i = 0; i < hosts; ++i)
    if (host[i].hi_tid == pvm_tidtohost(tid)) return host[i].hi_name;
  return "nowhere";
}

/* Sends its host to its master, joins the group, and prints the data it has got by the group. */
static void child(void) {
  char here[64];
  int me = pvm_mytid();
  int i, there, tid;
  gethostname(here, sizeof here);
  /* A replay may be on other hosts; its environment is the recorded one. */
  if (getenv("MOVED") && access(getenv("MOVED"), F_OK) == 0) strcpy(here, name_of(me));
  CHECK(strcmp(name_of(me), here) == 0 && pvm_parent() > 0);
  pvm_initsend(PvmDataDefault);
  pvm_pkstr(here);
  pvm_pkint(&me, 1, 1);
  pvm_send(pvm_parent(), REPORT);
  CHECK(pvm_joingroup("all") >= 0);
  pvm_recv(pvm_parent(), TABLE);
  pvm_upkint(&there, 1, 1);
  for (i = 0; i < there; ++i) {
    pvm_upkint(&tid, 1, 1);
    CHECK(pvm_gettid("all", pvm_getinst("all", tid)) == tid && pvm_pstat(tid) == PvmOk);
  }
  pvm_initsend(PvmDataDefault);
  pvm_send(pvm_parent(), REPORT);
  pvm_recv(pvm_parent(), GO);
  pvm_exit();
  exit(0);
}

static void waits(void) {
  pvm_recv(-1, 77);
}

/* The names of the hosts on which `count` tasks are started, in their order. */
static int spawn(char* how, int flags, char* where, int count, int* tids) {
  int got = pvm_spawn(self, (char**)0, flags, where, count, tids);
  int i;
  printf("%s:", how);
  for (i = 0; i < got; ++i) printf(" %s", name_of(tids[i]));
  if (got < count) printf(" error %d", tids[got]);
  printf("\n");
  for (i = 0; i < got; ++i) {
    char there[64];
    int tid;
    CHECK(pvm_recv(tids[i], REPORT) > 0);
    pvm_upkstr(there);
    pvm_upkint(&tid, 1, 1);
    CHECK(tid == tids[i] && strcmp(name_of(tid), there) == 0);
  }
  return got;
}

static int spawn_everywhere(int* tids) {
  int count = spawn("anywhere", PvmTaskDefault, "", 2 * hosts, tids);
  int i;
  count += spawn("one", PvmTaskDefault, "", 1, tids + count);
  count += spawn("here", PvmTaskHost, ".", 1, tids + count);
  for (i = 0; i < hosts; ++i) count += spawn(host[i].hi_name, PvmTaskHost, host[i].hi_name, 1, tids + count);
  count += spawn("there", PvmTaskHost, "nowhere", 1, tids + count);
  count += spawn("elsewhere", PvmTaskHost | PvmHostCompl, ".", 2, tids + count);
  count += spawn("alike", PvmTaskArch, host[0].hi_arch, 3, tids + count);
  count += spawn("other", PvmTaskArch, "CRAY", 1, tids + count);
  count += spawn("last", PvmTaskDefault, "", 2, tids + count);
  return count;
}

static void show_tasks(void) {
  struct pvmtaskinfo* task;
  int i, n, all, sum = 0;
  CHECK(pvm_tasks(0, &all, &task) == PvmOk);
  for (i = 0; i < all; ++i) CHECK(task[i].ti_host == pvm_tidtohost(task[i].ti_tid));
  for (i = 0; i < hosts; ++i) {
    CHECK(pvm_tasks(host[i].hi_tid, &n, &task) == PvmOk);
    printf("%d on %s\n", n, host[i].hi_name);
    sum += n;
  }
  CHECK(sum == all);
  CHECK(pvm_tasks(host[hosts - 1].hi_tid + (1 << 18), &n, &task) == PvmNoHost);
  CHECK(pvm_tasks(pvm_mytid(), &n, &task) == PvmOk && n == 1 && task[0].ti_tid == pvm_mytid());
}

static void show_hosts(void) {
  int i;
  printf("%d hosts\n", hosts);
  for (i = 0; i < hosts; ++i) {
    printf("%x %s %s\n", host[i].hi_tid, host[i].hi_name, host[i].hi_arch);
    CHECK(pvm_mstat(host[i].hi_name) == PvmOk);
  }
  CHECK(pvm_mstat("nowhere") == PvmNoHost);
}

static void kill_far_ones(void) {
  char* words[] = {"waits", (char*)0};
  int elsewhere = hosts > 1 ? PvmTaskHost | PvmHostCompl : PvmTaskHost;
  int tids[2], tid, i;
  CHECK(pvm_spawn(self, words, elsewhere, ".", 2, tids) == 2);
  CHECK(pvm_notify(PvmTaskExit, GONE, 2, tids) == PvmOk);
  CHECK(pvm_kill(tids[0]) == PvmOk);
  CHECK(pvm_sendsig(tids[1], SIGKILL) == PvmOk);
  for (i = 0; i < 2; ++i) {
    CHECK(pvm_recv(-1, GONE) > 0);
    pvm_upkint(&tid, 1, 1);
    CHECK(tid == tids[0] || tid == tids[1]);
    CHECK(pvm_pstat(tid) == PvmNoTask);
  }
  tid = host[hosts - 1].hi_tid + (1 << 18); /* no such host: notified at once */
  CHECK(pvm_notify(PvmHostDelete, GONE, 1, &tid) == PvmOk && pvm_recv(-1, GONE) > 0);
}

int main(int argc, char** argv) {
  int tids[MOST];
  int count, arches, i;
  self = argv[0];
  pvm_mytid();
  pvm_setopt(PvmAutoErr, 0);
  pvm_config(&hosts, &arches, &host);
  if (argc > 1 && strcmp(argv[1], "waits") == 0) waits();
  if (pvm_parent() > 0) child();
  show_hosts();
  printf("master on %s\n", name_of(pvm_mytid()));
  CHECK(pvm_joingroup("all") >= 0);
  count = spawn_everywhere(tids);
  while (pvm_gsize("all") < count + 1) usleep(1000);
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&count, 1, 1);
  pvm_pkint(tids, count, 1);
  CHECK(pvm_mcast(tids, count, TABLE) == PvmOk);
  for (i = 0; i < count; ++i) CHECK(pvm_recv(tids[i], REPORT) > 0);
  show_tasks();
  kill_far_ones();
  CHECK(pvm_notify(PvmTaskExit, GONE, count, tids) == PvmOk);
  pvm_initsend(PvmDataDefault);
  CHECK(pvm_bcast("all", GO) == PvmOk);
  for (; count > 0; --count) CHECK(pvm_recv(-1, GONE) > 0);
  printf("EARL-OK\n");
  pvm_exit();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
