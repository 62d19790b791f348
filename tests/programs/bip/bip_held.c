/* Messages that are held take their queue's room until they are freed, the oldest first. */
#include "bip_check.h"

main()
{
  int i, id, length, from, *held[2], data[8], word = 0;

  for (i = 0; i < 8; i++) data[i] = 10 + i;
  bip_taginit(5, 2, 8);
  bip_init();
  if (bip_mynode == 0) {
    bip_tsend(1, 5, data, 8);
    data[0] = 20;
    bip_tsend(1, 5, data, 8);
    data[0] = 30;
    id = bip_tisend(1, 5, data, 8);
    bip_tsend(1, 9, &word, 1);
    bip_trecv(9, &word, 1); /* both are held */
    CHECK(bip_stest(id) == 0);
    bip_tsend(1, 9, &word, 1);
    bip_trecv(9, &word, 1); /* one is free */
    CHECK(bip_stest(id) == 1);
  } else if (bip_mynode == 1) {
    bip_trecv(9, &word, 1);
    for (i = 0; i < 2; i++) CHECK((held[i] = bip_tgetmsg(5, &length, &from)) && length == 8);
    CHECK(!bip_tngetmsg(5, &length, &from));
    bip_tsend(0, 9, &word, 1);
    bip_trecv(9, &word, 1);
    CHECK(held[0][0] == 10);
    bip_tfreemsg(5);
    bip_tsend(0, 9, &word, 1);
    CHECK(held[1][0] == 20 && held[1][7] == 17 && from == 0);
    bip_tfreemsg(5);
    CHECK(bip_trecv(5, data, 8) == 8 && data[0] == 30);
  }
  OK();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
