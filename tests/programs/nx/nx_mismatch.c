/* Node 0 makes one global call, the others another one: nx_mismatch FIRST SECOND */
#include <cube.h>
#include <stdio.h>
#include <string.h>

static long nothing(x, y)
long *x, *y;
{
  return 0;
}

static void make(call)
char* call;
{
  long x = mynode() + 5, y, all[8], got;
  double d = 1, e;

  if (!strcmp(call, "gsync"))
    gsync();
  else if (!strcmp(call, "gisum"))

    gisum(&x, 1L, &y);
  else if (!strcmp(call, "gihigh"))

    gihigh(&x, 1L, &y);
  else if (!strcmp(call, "gdsum"))

    gdsum(&d, 1L, &e);
  else if (!strcmp(call, "gcol"))

    gcol(&x, (long)sizeof x, all, (long)sizeof all, &got);
  else

    gopf(&x, (long)sizeof x, &y, nothing);
}

main(argc, argv)
int argc;
char** argv;
{
  make(argv[mynode() == 0 ? 1 : 2]);
  printf("node %ld: %s is through\n", mynode(), argv[mynode() == 0 ? 1 : 2]);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
