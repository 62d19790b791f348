/* Node of app_host: prints the shape it sees. */
#include <string.h>

#include <nx.h>

#include "../common/check.h"

main(argc, argv)
int argc;
char **argv;
{
  long rows, cols;

  CHECK(numnodes() == 6 && mynode() < 6);
  if (myptype() == 7)
    CHECK(argc == 2 && strcmp(argv[1], "second") == 0 && strcmp(getenv("COLOUR"), "blue") == 0);
  else
    CHECK(argc == 1 && myptype() == 0);
  crecv(2L, &rows, 0L);
  CHECK(nx_app_rect(&rows, &cols) == 0);
  rows = 10 * rows + cols;
  csend(1L, &rows, sizeof rows, myhost(), 0L);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
