/* All send ten short messages on each of three tags to all before any receives; then
 * thousands to node 0, faster than it takes them; and a node that has sent its last may leave. */
#include "bip_check.h"

#define MANY 2000

main()
{
  int i, tag, node, value[16], seen[64], from;

  memset(value, 0, sizeof value);
  bip_init();
  for (tag = 0; tag < 3; tag++)
    for (i = 0; i < 10; i++)
      for (node = 0; node < bip_numnodes; node++) {
        value[0] = i;
        if (node != bip_mynode) bip_tsend(node, tag, value, 16);
      }
  for (tag = 3; tag-- > 0;) {
    memset(seen, 0, sizeof seen);
    for (i = 0; i < 10 * (bip_numnodes - 1); i++) {
      CHECK(bip_trecvx(tag, value, 16, &from) == 16 && from != bip_mynode);
      CHECK(value[0] == seen[from]++); /* each one's in order */
    }
  }
  if (bip_mynode == 0) {
    memset(seen, 0, sizeof seen);
    for (i = 0; i < MANY * (bip_numnodes - 1); i++) {
      CHECK(bip_trecvx(40, value, 16, &from) == 2);
      CHECK(value[0] == seen[from]++);
    }
  } else
    for (i = 0; i < MANY; i++) value[0] = i, bip_tsend(0, 40, value, 2);
  OK();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
