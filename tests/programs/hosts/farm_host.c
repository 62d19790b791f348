/* A host gets a cube, loads it, gives every node a number and collects the answers. */
#include <cube.h>

#include "../common/check.h"

main()
{
  long i, x, sum, nodes, seen = 0;

  getcube("farm", "4", "", 0L);
  setpid(5L);
  killcube(-1L, -1L); /* no process is there yet */
  nodes = numnodes();
  CHECK(nodes == 4 && nodedim() == 2 && mynode() == myhost() && myhost() == nodes && mypid() == 5);
  load("farm_node", -1L, 0L);
  x = 100;
  csend(1L, &x, sizeof x, -1L, 0L);
  for (i = sum = 0; i < nodes; i++) {
    crecv(2L, &x, sizeof x);
    CHECK(infocount() == sizeof x && infopid() == 0 && infonode() < nodes);
    CHECK((seen & (1L << infonode())) == 0);
    seen |= 1L << infonode();
    CHECK(x == 200 + infonode());
    sum += x;
  }
  CHECK(sum == 4 * 200 + 6);
  for (i = 0; i < nodes; i++) csend(3L, &sum, sizeof sum, i, 0L);
  waitall(-1L, 0L);
  relcube("farm");
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
