/* Loads one program after another into the same cube: the nodes of each meet each other, not those
 * that were there before them. */
#include <nx.h>

#include "../common/check.h"

main()
{
  long i;

  setpid(0L);
  for (i = 0; i < 3; i++) {
    load("again_node", -1L, 0L);
    waitall(-1L, 0L);
  }
  for (i = 0; i < 3; i++) {
    load("wait_node", -1L, 0L);
    killcube(-1L, 0L);
    load("again_node", -1L, 0L);
    waitall(-1L, 0L);
  }
  for (i = 0; i < 3; i++) {
    CHECK(nx_load((long*)0, -1L, 0L, (long*)0, "again_node") == numnodes());
    CHECK(nx_waitall() == 0);
  }
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
