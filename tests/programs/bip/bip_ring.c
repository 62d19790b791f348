/* A token goes round by the untagged calls, then by tags; one word, none, as many as are short. */
#include "bip_check.h"

static int big[BIPSMALLSIZE], in[BIPSMALLSIZE]; /* a constant at file scope */

main()
{
  int next, before, lap, token = 0, from = -1, id;

  bip_init();
  if (bip_numnodes == 1) return OK(), 0;
  next = (bip_mynode + 1) % bip_numnodes;
  before = (bip_mynode + bip_numnodes - 1) % bip_numnodes;
  for (lap = 1; lap <= 3; lap++) {
    if (bip_mynode == 0) {
      CHECK(bip_send(next, &token, 1) == 0 && bip_recv(&token, 1) == 1);
      CHECK(++token == lap * bip_numnodes);
    } else {
      CHECK(bip_recvx(&token, 1, &from) == 1 && from == before);
      token++;
      bip_send(next, &token, 1);
    }
  }
  for (lap = 0; lap < BIPSMALLSIZE; lap++) big[lap] = bip_mynode * 1000 + lap;
  id = bip_tisend(next, 199, big, BIPSMALLSIZE); /* short: no receive need be posted */
  bip_swait(id);
  CHECK(bip_stest(id) == 1 && bip_stest(id) == 1);
  CHECK(bip_trecvx(199, in, BIPSMALLSIZE, &from) == BIPSMALLSIZE && from == before);
  CHECK(in[BIPSMALLSIZE - 1] == before * 1000 + BIPSMALLSIZE - 1);
  id = bip_isend(next, (int *)0, 0);
  CHECK(bip_trecv(0, in, 5) == 0 && bip_stest(id) == 1);
  OK();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
