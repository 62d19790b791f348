/* Paragon: the other ways to say how many nodes an application has. Words have 4 bytes. */
#define EARL_NX_LONG32
#include <long32.h>

#include <string.h>

#include <nx.h>

#include "../nx/nx_check.h"

main()
{
  char *words[6], *arguments[3], *environment[2];
  long list[2], pids[2], rows, cols, node, pid, code, x = 0;
  int count = 5;

  words[0] = "shape_host", words[1] = "-plk", words[2] = "-pn", words[3] = "mine";
  words[4] = "mine", words[5] = 0;
  FAILS(nx_initve_rect("", 0L, 0L, 2L, "", &count, words), EQPARAM);
  FAILS(nx_initve_rect("", 0L, 2L, -1L, "", &count, words), EQPARAM);
  FAILS(nx_initve_attr("", &count, words, NX_ATTR_RECT, 0L, 7L, NX_ATTR_END), EQPARAM);
  count = 5;
  words[1] = "-plk", words[2] = "-pn", words[3] = "mine", words[4] = "mine", words[5] = 0;
  CHECK(nx_initve_attr("", &count, words, NX_ATTR_ANCHOR, 3L, NX_ATTR_RECT, 3L, 2L, NX_ATTR_PRI,
                       5L, NX_ATTR_END)
        == 6);
  CHECK(count == 2 && strcmp(words[1], "mine") == 0 && words[2] == 0);
  CHECK(nx_app_rect(&rows, &cols) == 0 && rows == 3 && cols == 2 && numnodes() == 6);
  setptype(0L);

  arguments[0] = "app_node", arguments[1] = "second", arguments[2] = 0;
  environment[0] = "COLOUR=blue", environment[1] = 0;
  list[0] = 4, list[1] = 1;
  CHECK(nx_load(list, 2L, 0L, pids, "wait_node") == 2 && pids[0] > 1 && pids[1] > 1);
  list[0] = 5;
  CHECK(nx_loadve(list, 1L, 7L, pids, "app_node", arguments, environment) == 1);
  csend(2L, &x, 0L, 5L, 7L);
  waitone(5L, 7L, &node, &pid, &code);
  CHECK(node == 5 && pid == 7 && code == 0);
  csend(1L, &x, sizeof x, 4L, 0L);
  CHECK(_waitone(4L, -1L, &node, &pid, &code) == 0);
  CHECK(node == 4 && pid == 0 && code == 14);
  FAILS(_killproc(6L, 0L), EQNODE);
  FAILS(_killcube(0L, -2L), EQPID);
  FAILS(_waitall(6L, 0L), EQNODE);
  CHECK(_killproc(1L, 0L) == 0 && _waitall(-1L, -1L) == 0 && _killcube(-1L, -1L) == 0);
  CHECK(nx_waitall() == 0);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
