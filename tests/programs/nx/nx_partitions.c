/* Paragon: inquiries about an application and its partition; a node starts no other. */
#include <errno.h>

#include <nx.h>

#include "../common/check.h"

main(argc, argv)
int argc;
char **argv;
{
  long rows, cols, list[2], i;
  nx_nodes_t nodes;
  nx_ulong count = 77;
  nx_pspart_t *programs = (nx_pspart_t *)&rows;

  CHECK(nx_app_rect(&rows, &cols) == 0 && rows * cols == numnodes() && rows <= cols);
  CHECK(nx_app_rect((long *)0, &cols) == -1 && errno == EQPBUF);
  CHECK(nx_app_nodes(0, &nodes, &count) == 0 && count == numnodes());
  for (i = 0; i < count; i++)
    CHECK(nodes[i] == i);
  free(nodes);
  CHECK(nx_app_nodes(1, &nodes, &count) == -1 && errno == EQNOACT);

  list[0] = 0, list[1] = 1;
  CHECK(nx_mkpart("mine", 4L, NX_GANG) == 0 && nx_mkpart_rect("mine", 2L, 2L, NX_STD) == 0);
  CHECK(nx_mkpart_map("mine", 2L, list, NX_SPS) == 0);
  CHECK(nx_mkpart_attr("mine", NX_ATTR_SZ, 4, NX_ATTR_END) == 0);
  CHECK(nx_chpart_epl("mine", 1L) == 0 && nx_chpart_mod("mine", 0755L) == 0);
  CHECK(nx_chpart_name("mine", "ours") == 0 && nx_chpart_owner("mine", 1L, 1L) == 0);
  CHECK(nx_chpart_rq("mine", 10L) == 0 && nx_chpart_sched("mine", NX_GANG) == 0);
  CHECK(nx_pspart("mine", &programs, &count) == 0 && programs == 0 && count == 0);
  CHECK(nx_rmpart("mine", 1L, 0L) == 0 && nx_pri(0L, 5L) == 0);

  /* The process type may change here; senders name the new one. */
  setptype(3L);
  CHECK(myptype() == 3);
  csend(1L, &i, sizeof i, (mynode() + 1) % numnodes(), 3L);
  crecv(1L, &i, sizeof i);
  CHECK(infoptype() == 3);
  setptype(0L);
  gsync();

  if (numnodes() > 1)
    CHECK(nx_initve("", 2L, "", &argc, argv) == -1 && errno == EQPRIV);
  CHECK(nx_nfork((long *)0, -1L, 0L, (long *)0) == -1 && errno == EQCUBENOTATTCH);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
