/* waitone() gives processes in the order of their ends, killproc() ends one that never would. */
#include <cube.h>
#include <errno.h>

#include "../common/check.h"

main()
{
  long i, node, pid, code, x = 0;

  getcube("wait", "4", "", 0L);
  setpid(0L);
  load("wait_node", -1L, 0L);
  for (i = 3; i > 0; i--) {
    csend(1L, &x, sizeof x, i, 0L);
    waitone(-1L, -1L, &node, &pid, &code);
    CHECK(node == i && pid == 0 && code == 10 + i);
  }
  killproc(0L, 0L);
  waitone(0L, 0L, &node, &pid, &code);
  CHECK(node == 0 && code == 128 + 9);
  errno = 0;
  CHECK(_waitone(-1L, -1L, &node, &pid, &code) == -1 && errno == EQNOACT);
  waitall(-1L, -1L);
  load("wait_node", 2L, 0L); /* the place is free again */
  csend(1L, &x, sizeof x, 2L, 0L);
  waitone(2L, 0L, &node, &pid, &code);
  CHECK(node == 2 && code == 12);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
