/* Linked as a host and started without nodes: messages fail, and a load mends that. */
#include <cube.h>
#include <errno.h>

#include "../common/check.h"

main(argc, argv)
int argc;
char **argv;
{
  long x = 0;

  setpid(1L);
  if (argc > 1) crecv(4L, &x, sizeof x);
  CHECK(_csend(3L, &x, sizeof x, 0L, 0L) == -1 && errno == EQCUBENOTATTCH);
  CHECK(_crecv(4L, &x, sizeof x) == -1 && errno == EQCUBENOTATTCH);
  load("hand_node", -1L, 0L);
  CHECK(numnodes() == 4 && mynode() == 4);
  csend(3L, &x, sizeof x, -1L, 0L);
  crecv(4L, &x, sizeof x);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
