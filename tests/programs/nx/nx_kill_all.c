/* kill(0, SIGKILL): how a Paragon node ends its whole application, and no other. */
#include <signal.h>
#include <stdio.h>

#include <nx.h>

main()
{
  long x;

  gsync();
  if (mynode() == 1) kill(0, SIGKILL);
  crecv(99L, &x, 8L);
  printf("still here\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
