/* Long messages wait at their sender: no probe sees them, nor those behind them in the queue; a
 * send is complete when its receiver has the data. Lengths are words. */
#include "bip_check.h"

#define MOST 262144

static int out[MOST], in[MOST];

main()
{
  static int lengths[6] = {25, 64, 65, 100, 1000, MOST};
  int i, k, id, word = 7, from;

  bip_init();
  for (i = 0; i < MOST; i++) out[i] = i * 3 + 1;
  for (k = 0; k < 6; k++) {
    if (bip_mynode == 0) {
      id = bip_tisend(1, 2, out, lengths[k]);
      if (lengths[k] > BIPSMALLSIZE) CHECK(bip_stest(id) == 0);
      bip_tsend(1, 3, &word, 1); /* it is on its way */
      if (k % 2) bip_swait(id);
      else while (!bip_stest(id))
        ;
      bip_tsend(1, 2, &word, 1);
    } else {
      bip_trecv(3, &from, 1);
      CHECK(bip_tprobe(2) == (lengths[k] > BIPSMALLSIZE ? -1 : lengths[k]));
      if (lengths[k] > BIPSMALLSIZE)
        CHECK(bip_tnrecv(2, in, MOST) == -1 && !bip_tngetmsg(2, &i, &from));
      memset(in, 0, sizeof in);
      CHECK(bip_trecvx(2, in, MOST, &from) == lengths[k] && from == 0);
      CHECK(!memcmp(in, out, lengths[k] * 4) && (lengths[k] == MOST || in[lengths[k]] == 0));
      CHECK(bip_trecv(2, in, 1) == 1 && in[0] == 7);
    }
  }
  /* Two phases, as programs did: the receive is posted, its sender notified, the rest sent. */
  for (i = 0; i < 20; i++) {
    if (bip_mynode == 0) {
      bip_tsend(1, 0, out, BIPSMALLSIZE);
      bip_trecv(1, &word, 1);
      bip_tsend(1, 2, out + BIPSMALLSIZE, 32768 - BIPSMALLSIZE);
    } else {
      CHECK(bip_recv(in, BIPSMALLSIZE) == BIPSMALLSIZE);
      id = bip_tirecv(2, in + BIPSMALLSIZE, 32768);
      bip_tsend(0, 1, &word, 1);
      CHECK(bip_rwait(id) == 32768 - BIPSMALLSIZE && !memcmp(in, out, 4 * 32768));
    }
  }
  OK();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
