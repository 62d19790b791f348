/* Paragon: the forms with an underscore of the calls on applications and partitions. */
#include <nx.h>

#include "nx_check.h"

what_works()
{
  long rows, cols, list[2];
  nx_nodes_t nodes;
  nx_ulong count = 77;
  nx_pspart_t *programs = (nx_pspart_t *)&rows;

  CHECK(_nx_app_rect(&rows, &cols) == 0 && rows * cols == numnodes() && rows <= cols);
  CHECK(_nx_app_nodes(0, &nodes, &count) == 0 && count == numnodes() && nodes[count - 1] == count - 1);
  free(nodes);
  list[0] = 0, list[1] = 1;
  CHECK(_nx_mkpart("mine", 4L, NX_GANG) == 0 && _nx_mkpart_rect("mine", 2L, 2L, NX_STD) == 0);
  CHECK(_nx_mkpart_map("mine", 2L, list, NX_SPS) == 0);
  CHECK(_nx_mkpart_attr("mine", NX_ATTR_SZ, 4, NX_ATTR_END) == 0);
  CHECK(_nx_chpart_epl("mine", 1L) == 0 && _nx_chpart_mod("mine", 0755L) == 0);
  CHECK(_nx_chpart_name("mine", "ours") == 0 && _nx_chpart_owner("mine", 1L, 1L) == 0);
  CHECK(_nx_chpart_rq("mine", 10L) == 0 && _nx_chpart_sched("mine", NX_GANG) == 0);
  CHECK(_nx_pspart("mine", &programs, &count) == 0 && programs == 0 && count == 0);
  CHECK(_nx_rmpart("mine", 1L, 0L) == 0 && _nx_pri(0L, 5L) == 0);
}

/* A node has no application of its own. */
what_does_not(argc, argv)
int argc;
char **argv;
{
  nx_nodes_t nodes;
  nx_ulong count;
  long cols, pids[2];

  FAILS(_nx_app_rect((long *)0, &cols), EQPBUF);
  FAILS(_nx_app_nodes(1, &nodes, &count), EQNOACT);
  FAILS(_nx_initve("", 2L, "", &argc, argv), EQPRIV);
  FAILS(_nx_initve_rect("", 0L, 1L, 2L, "", &argc, argv), EQPRIV);
  FAILS(_nx_initve_attr("", &argc, argv, NX_ATTR_SZ, 2L, NX_ATTR_END), EQPRIV);
  FAILS(_nx_load((long *)0, -1L, 0L, pids, "node"), EQCUBENOTATTCH);
  FAILS(_nx_loadve((long *)0, -1L, 0L, pids, "node", argv, (char **)0), EQCUBENOTATTCH);
  FAILS(_nx_nfork((long *)0, -1L, 0L, pids), EQCUBENOTATTCH);
  FAILS(_nx_waitall(), EQCUBENOTATTCH);
}

main(argc, argv)
int argc;
char **argv;
{
  what_works();
  what_does_not(argc, argv);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
