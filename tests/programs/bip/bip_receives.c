/* Posted receives, probes and tries; short messages leave different queues in any order. */
#include "bip_check.h"

main()
{
  int i, value, got[4], id[4], from, unsigned_from[1];

  bip_init();
  if (bip_mynode == 0) {
    CHECK(bip_tprobe(5) == -1 && bip_probe() == -1 && bip_nrecv(&value, 1) == -1);
    from = -7;
    CHECK(bip_tnrecvx(5, &value, 1, &from) == -1 && from == -7);
    for (i = 1; i < 4; i++) id[i] = bip_tirecv(i, &got[i], 1);
    id[0] = bip_irecv(got, 1);
    CHECK(id[0] >= 0 && id[0] != id[1] && id[1] != id[2]);
    CHECK(bip_rtestx(id[1], &from) == -1 && from == -7);
    bip_send(1, &from, 1);
    CHECK(bip_rwaitx(id[3], &from) == 1 && got[3] == 30 && from == 1);
    CHECK(bip_rwait(id[1]) == 1 && got[1] == 10);
    while ((value = bip_rtestx(id[2], unsigned_from)) == -1)
      ;
    CHECK(value == 1 && got[2] == 20 && *unsigned_from == 1 && bip_rtest(id[2]) == -1);
    while (bip_rtest(id[0]) == -1)
      ;
    CHECK(got[0] == 40);
    bip_trecv(9, &value, 1); /* now all the others are there, too */
    CHECK(bip_tprobe(7) == 2 && bip_tprobe(7) == 2 && bip_tprobe(8) == 1);
    CHECK(bip_tnrecv(8, &value, 1) == 1 && value == 80);
    CHECK(bip_tnrecvx(7, got, 4, &from) == 2 && got[0] == 70 && from == 1);
    CHECK(bip_tprobe(7) == 0 && bip_trecv(7, got, 4) == 0 && bip_tprobe(7) == -1);
    CHECK(bip_probe() == 1 && bip_nrecvx(&value, 1, &from) == 1 && value == 50 && from == 1);
  } else if (bip_mynode == 1) {
    static int send[2] = {70, 71};

    bip_recv(&from, 1);
    for (i = 1; i < 4; i++) value = 10 * i, bip_tsend(0, i, &value, 1);
    value = 40, bip_send(0, &value, 1);
    bip_tsend(0, 7, send, 2);
    bip_tsend(0, 7, (int *)0, 0);
    value = 80, bip_tsend(0, 8, &value, 1);
    value = 50, bip_send(0, &value, 1);
    bip_tsend(0, 9, &value, 1);
  }
  OK();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
