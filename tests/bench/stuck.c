/* Each process waits for the next node, and none sends. The last node, which on fibers runs last,
 * prints when it begins to wait: stuck NANOSECONDS (of the monotonic clock) */
#include <nx.h>
#include <stdio.h>

#include "clock.h"

int main(void) {
  long const me = mynode(), nodes = numnodes();
  int token = 0;
  if (me == nodes - 1) printf("stuck %.0f\n", bench_now());
  crecvx(1, (char*)&token, sizeof token, (me + 1) % nodes, 0, msginfo);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
