/* attachcube() changes the current cube; the one left behind goes on. */
#include <cube.h>
#include <errno.h>

#include "../common/check.h"

main()
{
  long x = 0, node, pid, code;

  setpid(0L);
  getcube("one", "2", "", 0L);
  load("wait_node", -1L, 0L);
  getcube("two", "4", "", 0L);
  CHECK(numnodes() == 4);
  load("wait_node", 3L, 0L);
  csend(1L, &x, sizeof x, 3L, 0L);
  waitone(-1L, -1L, &node, &pid, &code);
  CHECK(node == 3 && code == 13);
  attachcube("one");
  CHECK(numnodes() == 2);
  csend(1L, &x, sizeof x, 1L, 0L);
  waitone(-1L, -1L, &node, &pid, &code);
  CHECK(node == 1 && code == 11);
  killcube(-1L, -1L);
  relcube("one");
  CHECK(_attachcube("one") == -1 && errno == EQCUBENOTEXIST);
  attachcube("two");
  CHECK(numnodes() == 4);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
