/* A token goes round three times and counts its stations. */
#include <cube.h>

#include "../common/check.h"

#define TOKEN 10

main()
{
  long me = mynode(), nodes = numnodes(), next = (me + 1) % nodes;
  int lap, token = 0;

  for (lap = 1; lap <= 3; lap++) {
    if (me == 0) {
      csend(TOKEN, &token, sizeof token, next, 0);
      crecv(TOKEN, &token, sizeof token);
      token++;
      CHECK(token == lap * nodes);
    } else {
      crecv(TOKEN, &token, sizeof token);
      CHECK(token == (lap - 1) * nodes + me - 1);
      token++;
      csend(TOKEN, &token, sizeof token, next, 0);
    }
    CHECK(infonode() == (me + nodes - 1) % nodes);
  }
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
