/* The plain call ends the process: "(node 1, pid 0) crecv: ..." and status 1. */
#include <cube.h>
#include <stdio.h>

main()
{
  char small[4];

  if (mynode() == 0) csend(5, "hello world", 12, 1, 0);
  if (mynode() == 1) {
    crecv(5, small, 4);
    printf("crecv came back\n");
  }
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
