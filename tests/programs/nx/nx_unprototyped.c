/* No header, no prototypes: every argument and result is an int, also -1. */
#include "../common/check.h"

main()
{
  int me, nodes, value, type, count, everybody = -1, anything = -1;

  me = mynode();
  nodes = numnodes();
  value = me + 1000;
  csend(20 + me, &value, sizeof value, everybody, 0);
  for (count = 1; count < nodes; count++) {
    crecv(anything, &value, sizeof value);
    type = infotype();
    CHECK(type == 20 + infonode() && value == 1000 + infonode());
    CHECK(infonode() != me && infocount() == sizeof value);
  }
  CHECK(iprobe(anything) == 0);
  CHECK(_csend(-2, &value, 4, 0, 0) == -1 && _csend(1, &value, -4, 0, 0) == -1);
  printf("EARL-OK\n");
  exit(0);
}
/* SPDX-License-Identifier: BSD-3-Clause */
