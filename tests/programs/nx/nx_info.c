/* The values of infocount() and the like, and their times. */
#include <cube.h>

#include "../common/check.h"

#define EXPECT_INFO(type, count, node, pid)                                   \
  CHECK(infotype() == (type) && infocount() == (count) && infonode() == (node) \
        && infopid() == (pid) && infoptype() == (pid))

main()
{
  long me = mynode(), nodes = numnodes(), left = (me + nodes - 1) % nodes, right = (me + 1) % nodes;
  long id, n, x[2];
  char buf[100] = "";

  EXPECT_INFO(-1, -1, -1, -1);
  csend(11L, buf, 10L, right, 0L);
  csend(12L, buf, 20L, right, 0L);
  csend(13L, buf, 30L, right, 0L);
  EXPECT_INFO(-1, -1, -1, -1); /* sends set nothing */
  crecv(12L, buf, 100L);
  EXPECT_INFO(12, 20, left, 0);
  cprobe(-1L);
  EXPECT_INFO(11, 10, left, 0);
  id = irecv(-1L, buf, 100L);
  CHECK(iprobe(99L) == 0);
  EXPECT_INFO(11, 10, left, 0);
  while (!iprobe(13L)) flick();
  EXPECT_INFO(13, 30, left, 0);
  msgwait(id);
  EXPECT_INFO(11, 10, left, 0);
  gsync();
  x[0] = me, gisum(x, 1L, x + 1), gcol(x, 8L, buf, 100L, &n);
  EXPECT_INFO(11, 10, left, 0); /* collectives set nothing */
  msgwait(isend(14L, buf, 40L, right, 0L));
  EXPECT_INFO(11, 10, left, 0);
  id = irecv(14L, buf, 100L);
  while (!msgdone(id)) flick();
  EXPECT_INFO(14, 40, left, 0);
  crecv(-1L, buf, 100L);
  EXPECT_INFO(13, 30, left, 0);
  CHECK(msginfo[0] == 13 && msginfo[1] == 30 && msginfo[2] == left && msginfo[3] == 0);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
