/* Messages without bytes go round; they carry a type and a source. */
#include <cube.h>

#include "../common/check.h"

main()
{
  long me = mynode(), nodes = numnodes();
  char untouched = 'u';

  if (me == 0) csend(1L, (char *)0, 0L, 1 % nodes, 0L);
  crecv(-1L, &untouched, 1L);
  CHECK(infocount() == 0 && infotype() == me + (me == 0 ? nodes : 0));
  CHECK(infonode() == (me + nodes - 1) % nodes && untouched == 'u');
  if (me != 0) csend(me + 1, &untouched, 0L, (me + 1) % nodes, 0L);
  gsync();
  csend(77L, (char *)0, 0L, me, 0L);
  crecv(77L, (char *)0, 0L);
  CHECK(infocount() == 0 && infonode() == me);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
