/* Loads nodes and waits for a message that never comes. */
#include <cube.h>

#include "../common/check.h"

main()
{
  long x;

  setpid(0L);
  load("wait_node", -1L, 0L);
  printf("loaded\n");
  fflush(stdout);
  crecv(2L, &x, sizeof x);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
