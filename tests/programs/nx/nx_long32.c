/* A program that counts on `long` of 4 bytes, as all of its time could: its arrays reach the calls
 * as they are. */
#include <nx.h>

#include "../common/check.h"

main()
{
  long me = mynode(), nodes = numnodes(), x[3], work[3], all[64], lengths[64], info[8], i, count;
  long rows, cols;

  CHECK(sizeof(long) == 4 && sizeof x == 12);
  x[0] = me, x[1] = 1, x[2] = -me;
  gisum(x, 3L, work);
  CHECK(x[0] == nodes * (nodes - 1) / 2 && x[1] == nodes && x[2] == -x[0]);
  x[0] = me, x[1] = -me;
  gihigh(x, 2L, work);
  CHECK(x[0] == nodes - 1 && x[1] == 0);
  x[0] = me, x[1] = me + 1, x[2] = 5;
  gilow(x, 2L, work);
  CHECK(x[0] == 0 && x[1] == 1 && x[2] == 5);
  x[0] = 2, giprod(x, 1L, work);
  CHECK(x[0] == 1 << nodes);
  x[0] = 1 << me, gior(x, 1L, work);
  CHECK(x[0] == (1 << nodes) - 1);
  x[0] = me + 2, gland(x, 1L, work);
  CHECK(x[0] == 1);
  x[0] = 6;
  CHECK(_giand(x, 1L, work) == 0 && x[0] == 6);

  gcol(&me, 4L, all, sizeof all, &count);
  CHECK(count == 4 * nodes && all[nodes - 1] == nodes - 1);
  for (i = 0; i < nodes; i++)
    lengths[i] = 4, all[i] = -1;
  gcolx(&me, lengths, all);
  for (i = 0; i < nodes; i++)
    CHECK(all[i] == i);

  csend(7L, &me, sizeof me, (me + 1) % nodes, 0L);
  cprobex(7L, -1L, -1L, info);
  CHECK(info[0] == 7 && info[1] == 4 && info[2] == (me + nodes - 1) % nodes);
  CHECK(iprobex(7L, -1L, -1L, msginfo) == 1 && infocount() == 4);
  crecv(7L, &x[0], 4L);
  CHECK(msginfo[0] == 7 && msginfo[2] == x[0] && infotype() == 7);
  for (i = 0; i < nodes; i++)
    lengths[i] = nodes - 1 - i;
  gsendx(8L, &me, 4L, lengths, nodes);
  for (i = 0; i < nodes; i++) {
    crecvx(8L, &x[1], 4L, lengths[i], 0L, info);
    CHECK(x[1] == lengths[i] && info[2] == x[1] && info[1] == 4);
  }
  csend(9L, &me, 4L, (me + 1) % nodes, 0L);
  msgwait(irecvx(9L, &x[1], 4L, x[0], -1L, info));
  CHECK(x[1] == x[0] && info[0] == 9);
  CHECK(mypart(&rows, &cols) == 0 && rows * cols == nodes);
  CHECK(nx_app_rect(&rows, &cols) == 0 && rows * cols == nodes);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
