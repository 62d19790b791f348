/* Paragon's receives and probes by source; several requests share msginfo. */
#include <nx.h>

#include "../common/check.h"

main()
{
  long me = mynode(), nodes = numnodes(), info[8], ids[64], in[64], i, x;

  csend(20L, &me, 8L, -1L, 0L);
  for (i = nodes - 1; i >= 0; i--) {
    if (i == me) continue;
    cprobex(-1L, i, -1L, info);
    CHECK(info[0] == 20 && info[1] == 8 && info[2] == i && info[3] == 0);
    while (!iprobex(20L, i, 0L, (long *)0)) flick();
    CHECK(infonode() == i);
    crecvx(-1L, &x, 8L, i, 0L, msginfo);
    CHECK(x == i && infonode() == i && infocount() == 8);
  }
  for (i = 0; i < nodes; i++) ids[i] = irecvx(21L, &in[i], 8L, i, -1L, msginfo);
  gsync();
  csend(21L, &me, 8L, me, 0L);
  csend(21L, &me, 8L, -1L, 0L);
  for (i = nodes - 1; i >= 0; i--) {
    msgwait(ids[i]);
    CHECK(in[i] == i && infonode() == i);
  }
  CHECK(_crecvx(1L, &x, 8L, nodes + 70000, -1L, info) == -1 || nodes < 0);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
