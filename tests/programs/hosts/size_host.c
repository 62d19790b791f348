/* Paragon: neither the call nor the command line says how many nodes; the environment does. */
#include <errno.h>

#include <nx.h>

#include "../common/check.h"

main()
{
  char *words[4];
  long rows, cols;
  int count = 1;

  words[0] = "size_host", words[1] = 0;
  setenv("NX_DFLT_SIZE", "many", 1);
  CHECK(nx_initve("", 0L, "", &count, words) == -1 && errno == EQPARAM);
  setenv("NX_DFLT_SIZE", "2x4", 1);
  CHECK(nx_initve((char *)0, 0L, (char *)0, &count, words) == 8);
  CHECK(count == 1 && numnodes() == 8);
  CHECK(nx_app_rect(&rows, &cols) == 0 && rows == 2 && cols == 4);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
