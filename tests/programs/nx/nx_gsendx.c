/* gsendx reaches the listed nodes, also the sender, and no other. */
#include <cube.h>

#include "../common/check.h"

main()
{
  long me = mynode(), nodes = numnodes(), list[64], n = 0, i, value = -1;

  for (i = nodes - 1; i >= 0; i -= 2) list[n++] = i;
  if (me == nodes - 1) {
    value = 4711;
    gsendx(30L, &value, (long)sizeof value, list, n);
  }
  gsync();
  if ((nodes - 1 - me) % 2 == 0) {
    crecv(30L, &value, (long)sizeof value);
    CHECK(value == 4711 && infonode() == nodes - 1);
  }
  gsync();
  CHECK(iprobe(-1L) == 0);
  list[0] = nodes + 7;
  CHECK(_gsendx(30L, &value, 8L, list, 1L) == -1);
  CHECK(_gsendx(30L, &value, 8L, list, 0L) == 0);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
