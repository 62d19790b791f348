/* Meets the other nodes of its load, and gets a message from the one before it. */
#include <nx.h>

#include "../common/check.h"

main()
{
  long me = mynode(), n = numnodes(), x = 0;

  gsync();
  csend(1L, &me, sizeof me, (me + 1) % n, 0L);
  crecv(1L, &x, sizeof x);
  CHECK(x == (me + n - 1) % n && infonode() == x);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
