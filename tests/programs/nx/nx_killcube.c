/* killcube(-1, -1) from one node ends the whole job, also nodes that wait forever. */
#include <cube.h>
#include <stdio.h>

main()
{
  long x;

  gsync();
  if (mynode() == 1) killcube(-1L, -1L);
  crecv(99L, &x, 8L);
  printf("still here\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
