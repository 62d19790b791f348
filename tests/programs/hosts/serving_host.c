/* Serves its nodes by a handler while it waits for their ends. */
#include <cube.h>

#include "../common/check.h"

long served, asked;

serve(type, count, node, pid)
long type, count, node, pid;
{
  long answer = asked + 1;

  CHECK(type == 1 && count == sizeof asked && asked == 100 + node && pid == 0);
  served++;
  csend(2L, &answer, sizeof answer, node, pid);
  hrecv(1L, &asked, sizeof asked, serve);
}

main()
{
  long node, pid, code, i;

  getcube("served", "4", "", 0L);
  setpid(0L);
  hrecv(1L, &asked, sizeof asked, serve);
  load("asking_node", -1L, 0L);
  waitall(-1L, 0L);
  CHECK(served == 4);
  load("asking_node", -1L, 0L);
  for (i = 0; i < 4; i++) {
    waitone(-1L, 0L, &node, &pid, &code);
    CHECK(code == 0);
  }
  CHECK(served == 8);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
