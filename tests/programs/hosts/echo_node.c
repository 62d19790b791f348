/* Prints its number and its arguments. */
#include <cube.h>
#include <string.h>

#include "../common/check.h"

main(argc, argv)
int argc;
char **argv;
{
  char line[200];
  int i;

  sprintf(line, "node %ld of %ld, pid %ld:", mynode(), numnodes(), mypid());
  for (i = 1; i < argc; i++) sprintf(line + strlen(line), " (%s)", argv[i]);
  printf("%s\n", line);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
