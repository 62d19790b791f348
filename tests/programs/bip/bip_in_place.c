/* Messages are read in the queue's own memory and given back in the order they came. */
#include "bip_check.h"

static int large[500];

main()
{
  int i, *got[3], length, from, value = 5;

  bip_init();
  if (bip_mynode == 0) {
    bip_trecv(9, &value, 1);
    for (i = 0; i < 3; i++) {
      got[i] = i == 1 ? bip_tgetmsg(4, &length, &from) : bip_tngetmsg(4, &length, &from);
      CHECK(got[i] && length == i + 1 && from == 1);
    }
    CHECK(bip_tprobe(4) == -1 && !bip_tngetmsg(4, (int *)0, (int *)0));
    for (i = 0; i < 3; i++) {
      CHECK(got[i][i] == 100 + i);
      bip_tfreemsg(4);
    }
    CHECK(bip_getmsg(&length, &from) && length == 0); /* not null, though there is nothing */
    CHECK(*bip_ngetmsg((int *)0, (int *)0) == 6);
    bip_freemsg();
    bip_freemsg();
    CHECK(bip_tgetmsg(4, &length, (int *)0)[499] == 77 && length == 500); /* a long one, too */
    bip_tfreemsg(4);
    CHECK(bip_tnrecv(4, &value, 1) == -1);
  } else if (bip_mynode == 1) {
    for (i = 0; i < 3; i++) {
      large[i] = 100 + i;
      bip_tsend(0, 4, large, i + 1);
    }
    bip_send(0, large, 0);
    value = 6, bip_send(0, &value, 1);
    bip_tsend(0, 9, &value, 1);
    large[499] = 77;
    bip_tsend(0, 4, large, 500);
  }
  OK();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
