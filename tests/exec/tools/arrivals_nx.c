/* Node 0 prints in which order the others' messages come: blocking, polled for and posted. */
#include <nx.h>
#include <stdio.h>

#define ROUNDS 6

int main()
{
  int i, from, nodes = numnodes();

  for (i = 0; mynode() != 0 && i < ROUNDS; i++) {
    from = mynode();
    csend(7, &from, sizeof from, 0, 0);
  }
  if (mynode() != 0) return 0;
  for (i = 0; i < ROUNDS * (nodes - 1); i++) {
    if (i % 3 == 0) crecv(-1, &from, sizeof from);
    else if (i % 3 == 1) {
      while (iprobe(-1) != 1) flick();
      crecv(-1, &from, sizeof from);
    } else {
      long id = irecv(-1, &from, sizeof from);
      while (msgdone(id) != 1) flick();
    }
    printf("%d ", from);
  }
  printf("\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
