/* Several processes on a node, and messages to those that are not loaded yet. */
#include <cube.h>

#include "../common/check.h"

main()
{
  long pid, x;

  getcube("pids", "2", "", 0L);
  setpid(0L);
  for (pid = 0; pid < 3; pid++) {
    x = 10 * pid;
    csend(1L, &x, sizeof x, 1L, pid); /* waits for the process */
  }
  load("pids_node", 1L, 2L);
  load("pids_node", 1L, 0L);
  load("pids_node", 1L, 1L);
  for (pid = 0; pid < 3; pid++) {
    crecv(2L, &x, sizeof x);
    CHECK(infonode() == 1 && x == 10 * infopid() + 1);
  }
  waitall(-1L, -1L);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
