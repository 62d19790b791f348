/* Functions that a library may import but not call on fibers. */
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>

void call_forbidden(int which);

int main(int argc, char **argv) {
  gsync();
  if (mynode() == 1) call_forbidden(atoi(argv[1]));
  printf("ran on %d\n", (int)mynode());
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
