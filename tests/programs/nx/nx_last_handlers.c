/* A message that is there when a program ends is still handled, once. */
#include <cube.h>

#include "../common/check.h"

long given, calls;

last(type, count, node, pid)
long type, count, node, pid;
{
  CHECK(++calls == 1 && type == 1 && count == 8 && node == mynode() && given == 77 + node);
  printf("EARL-OK\n");
}

main()
{
  long x = 77 + mynode();

  hrecv(1L, &given, 8L, last);
  csend(1L, &x, 8L, mynode(), 0L);
  return 0; /* and no call of this interface any more */
}
/* SPDX-License-Identifier: BSD-3-Clause */
