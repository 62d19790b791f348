/* A host that waits for the ends of its nodes, which wait for a word of its. */
#include <cube.h>

int main(void) {
  setpid(0);
  load("deadlocks_node", -1, 0);
  waitall(-1, -1);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
