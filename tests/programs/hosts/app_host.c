/* A Paragon program that starts its application itself: the shape, programs with arguments, a
 * second process type beside the first, and the end of all. */
#include <errno.h>
#include <string.h>

#include <nx.h>

#include "../common/check.h"

main()
{
  char *words[8], *arguments[3], *environment[2];
  long pids[6], nodes[2], rows, cols, x, i, seen = 0;
  int count = 5;

  words[0] = "app_host", words[1] = "-sz", words[2] = "3x2", words[3] = "-pri";
  words[4] = "5", words[5] = "first", words[6] = 0;
  count = 6;
  CHECK(nx_initve("", 0L, "", &count, words) == 6);
  CHECK(count == 2 && strcmp(words[1], "first") == 0 && words[2] == 0);
  CHECK(numnodes() == 6 && mynode() == myhost() && myptype() == INVALID_PTYPE);
  CHECK(nx_app_rect(&rows, &cols) == 0 && rows == 3 && cols == 2);
  setptype(0L);

  CHECK(nx_load((long *)0, -1L, 0L, pids, "no_such_program") == -1 && errno == EQBADFIL);
  nodes[0] = 6;
  CHECK(nx_load(nodes, 1L, 0L, pids, "app_node") == -1 && errno == EQNODE);
  CHECK(_nx_load((long *)0, -1L, 0L, pids, "app_node") == 6);
  CHECK(nx_load((long *)0, -1L, 0L, pids, "app_node") == -1 && errno == EQUSEPID);
  for (i = 0; i < 6; i++)
    CHECK(pids[i] > 1);
  arguments[0] = "app_node", arguments[1] = "second", arguments[2] = 0;
  environment[0] = "COLOUR=blue", environment[1] = 0;
  nodes[0] = 4, nodes[1] = 1;
  CHECK(nx_loadve(nodes, 2L, 7L, pids, "app_node", arguments, environment) == 2);
  csend(2L, &x, 0L, -1L, 0L); /* none has ended before */
  csend(2L, &x, 0L, 4L, 7L);
  csend(2L, &x, 0L, 1L, 7L);
  for (i = 0; i < 8; i++) {
    crecv(1L, &x, sizeof x);
    CHECK(infoptype() == 0 || (infoptype() == 7 && (infonode() == 4 || infonode() == 1)));
    CHECK(x == 32);
    seen |= 1L << (infonode() + infoptype());
  }
  CHECK(seen == (0x3f | 1L << 11 | 1L << 8));
  CHECK(_nx_waitall() == 0);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
