/* Spawns tasks one after another, and kills each while it waits, or polls: `killed_tasks SPAWNS [poll]`. Prints the memory
   of this process, on fibers that of all, after a quarter of them and after all: "KIB first last". */
#include "../../programs/pvm3/pvm_check.h"

#include <string.h>

#define READY 1
#define ENDED 2
#define NEVER 3

static long resident_kib()
{
  char line[200];
  long kib = 0;
  FILE* file = fopen("/proc/self/status", "r");

  CHECK(file != NULL);
  while (fgets(line, sizeof line, file))
    if (strncmp(line, "VmRSS:", 6) == 0) kib = atol(line + 6);
  fclose(file);
  return kib;
}

static void wait_for_end(polls)
int polls;
{
  pvm_initsend(PvmDataDefault);
  CHECK(pvm_send(pvm_parent(), READY) == 0);
  while (polls) pvm_nrecv(-1, NEVER);
  pvm_recv(-1, NEVER);
}

int main(argc, argv)
int argc;
char** argv;
{
  int spawns, i, tid;
  long early = 0;

  if (pvm_parent() > 0) {
    wait_for_end(argc > 1);
    return 1;
  }
  CHECK(argc > 1);
  spawns = atoi(argv[1]);
  for (i = 0; i < spawns; i++) {
    if (i == spawns / 4) early = resident_kib();
    CHECK(pvm_spawn("killed_tasks", argc > 2 ? argv + 2 : 0, 0, "", 1, &tid) == 1);
    CHECK(pvm_notify(PvmTaskExit, ENDED, 1, &tid) == 0);
    CHECK(pvm_recv(tid, READY) > 0);
    CHECK(pvm_kill(tid) == 0);
    CHECK(pvm_recv(-1, ENDED) > 0);
  }
  printf("KIB %ld %ld\n", early, resident_kib());
  pvm_exit();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
