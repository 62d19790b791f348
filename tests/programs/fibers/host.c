/* A program linked for the host that loads nothing is the host of the nodes it is started with. */
#include <nx.h>

#include "../common/check.h"

int main(void) {
  long node, got;
  setpid(0);
  CHECK(mynode() == myhost() && numnodes() == 3 && mynode() == 3);
  for (node = 0; node < numnodes(); ++node) {
    csend(1, (char *)&node, sizeof node, node, 0);
    crecv(2, (char *)&got, sizeof got);
    CHECK(infonode() == node && got == node);
  }
  puts("EARL-OK");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
