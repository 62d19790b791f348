/* Loads nodes, says so once all have run, and waits for a message that never comes. */
#include <cube.h>

#include "../common/check.h"

main()
{
  long x, n;

  setpid(0L);
  load("ready_node", -1L, 0L);
  for (n = numnodes(); n > 0; n--) crecv(3L, &x, sizeof x);
  printf("loaded\n");
  fflush(stdout);
  crecv(2L, &x, sizeof x);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
