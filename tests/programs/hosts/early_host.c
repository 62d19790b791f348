/* A host that leaves at once: its nodes go on, and its messages are there. */
#include <cube.h>

#include "../common/check.h"

main()
{
  long x = 42;

  setpid(0L);
  load("early_node", -1L, 3L);
  csend(9L, &x, sizeof x, -1L, 3L);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
