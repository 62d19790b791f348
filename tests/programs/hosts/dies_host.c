/* A host that makes one mistake, of the kind its argument names, by a plain call: that is its last. */
#include <string.h>

#include <cube.h>

#include "../common/check.h"

long x;

/* Those that have a cube, and a pid. */
mistake(kind)
char *kind;
{
  if (!strcmp(kind, "second getcube")) getcube("mine", "2", "", 0L);
  if (!strcmp(kind, "second setpid")) setpid(5L);
  if (!strcmp(kind, "node")) csend(1L, &x, 8L, 7L, 0L);
  if (!strcmp(kind, "type")) csend(-9L, &x, 8L, 1L, 0L);
  if (!strcmp(kind, "load node")) load("wait_node", 2L, 0L);
  if (!strcmp(kind, "load file")) load("no_such_node", -1L, 0L);
  if (!strcmp(kind, "load cat")) load("/bin/cat", -1L, 0L);
  if (!strcmp(kind, "waitone")) waitone(0L, 0L, &x, &x, &x);
  if (!strcmp(kind, "gsync")) gsync();
  load("wait_node", -1L, 0L);
  if (!strcmp(kind, "second load")) load("wait_node", -1L, 0L);
  if (!strcmp(kind, "with nodes")) csend(1L, &x, -8L, 1L, 0L);
}

main(argc, argv)
int argc;
char **argv;
{
  char *kind = argv[1];

  if (!strcmp(kind, "size 0")) getcube("mine", "0", "", 0L);
  if (!strcmp(kind, "size 3")) getcube("mine", "3", "", 0L);
  if (!strcmp(kind, "type of cube")) getcube("mine", "many", "", 0L);
  if (!strcmp(kind, "long name")) getcube("a name too long for it", "2", "", 0L);
  if (!strcmp(kind, "attachcube")) attachcube("of_others");
  if (!strcmp(kind, "attach the shell's")) attachcube(getenv("EARL_CUBE"));
  if (!strcmp(kind, "relcube")) relcube("of_others");
  if (!strcmp(kind, "negative pid")) setpid(-4L);
  getcube("mine", "2", "", 0L);
  if (!strcmp(kind, "no pid")) csend(1L, &x, 8L, 0L, 0L);
  setpid(4L);
  mistake(kind);
  printf("it went on\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
