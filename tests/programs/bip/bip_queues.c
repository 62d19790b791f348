/* The room in a queue that bip_taginit has sized: ten messages of 8 words, or 24 of one; the next
 * send waits until one is received, or freed. A send that waits for room does not keep a receive
 * from going on, and nothing to its queue overtakes it. */
#include "bip_check.h"

main()
{
  static int data[8], large[100];
  int i, id, second, word = 0, length;

  CHECK(bip_taginit(5, 10, 8) == 0 && bip_taginit(6, 1, 0) == 0 && bip_taginit(7, 0, 8) == -1);
  bip_init();
  if (bip_mynode == 0) {
    for (i = 0; i < 10; i++) bip_tsend(1, 5, data, 8);
    id = bip_tisend(1, 5, data, 8);
    second = bip_tisend(1, 5, data, 1); /* behind it, though there would be room for nothing */
    CHECK(bip_stest(id) == 0 && bip_stest(second) == 0);
    bip_tsend(1, 9, &word, 1);
    bip_trecv(9, &word, 1); /* one was received; its credit has arrived before this */
    CHECK(bip_stest(id) == 1 && bip_stest(second) == 0);
    bip_tsend(1, 9, &word, 1);
    bip_swait(second);
    bip_trecv(9, &word, 1); /* all were received */
    for (i = 0; i < 24; i++) bip_tsend(1, 5, data, 1);
    id = bip_tisend(1, 5, data, 1);
    CHECK(bip_stest(id) == 0);
    bip_tsend(1, 9, &word, 1);
    bip_trecv(9, &word, 1); /* the send leaves meanwhile: the other waits for it */
    CHECK(bip_stest(id) == 1);
    for (i = 0; i < 24; i++) bip_tsend(1, 5, data, 1);
    id = bip_tisend(1, 5, data, 2);
    second = bip_tisend(1, 5, large, 100); /* long, and behind it all the same */
    CHECK(bip_stest(id) == 0 && bip_stest(second) == 0);
    bip_tsend(1, 9, &word, 1);
    bip_swait(second);
    CHECK(bip_stest(id) == 1);
    id = bip_tisend(1, 6, data, 2); /* never fits: waits for its receiver */
    bip_tsend(1, 9, &word, 1);
    CHECK(bip_stest(id) == 0);
    bip_tsend(1, 9, &word, 1);
    bip_swait(id);
  } else {
    bip_trecv(9, &word, 1);
    CHECK(bip_tgetmsg(5, &length, (int *)0) && length == 8);
    bip_tfreemsg(5);
    bip_tsend(0, 9, &word, 1);
    bip_trecv(9, &word, 1);
    for (i = 0; i < 10; i++) CHECK(bip_trecv(5, data, 8) == 8);
    CHECK(bip_trecv(5, data, 8) == 1);
    bip_tsend(0, 9, &word, 1);
    bip_trecv(9, &word, 1);
    for (i = 0; i < 25; i++) CHECK(bip_trecv(5, data, 8) == 1);
    bip_tsend(0, 9, &word, 1);
    bip_trecv(9, &word, 1);
    for (i = 0; i < 24; i++) CHECK(bip_trecv(5, data, 8) == 1);
    CHECK(bip_trecv(5, data, 8) == 2 && bip_trecv(5, large, 100) == 100);
    bip_trecv(9, &word, 1);
    CHECK(bip_tprobe(6) == -1);
    bip_trecv(9, &word, 1);
    CHECK(bip_trecv(6, data, 8) == 2);
  }
  OK();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
