/*
 * fragile_bip.c: as fragile_nx.c, in BIP's words: the node that is ready first may go on, and node 2 waits for
 * what node 1 sends then. usage: fragile_bip swapped
 */
#include "bip.h"

#define READY 1
#define ANSWER 2
#define RESULT 3
#define CHAT 4

static int word[1];

/* Makes node 2 late. */
static void chat(int other)
{
  int i;

  for (i = 0; i < 20; i++) {
    if (bip_mynode == 2) bip_tsend(other, CHAT, word, 1);
    bip_trecv(CHAT, word, 1);
    if (bip_mynode == 3) bip_tsend(other, CHAT, word, 1);
  }
}

int main(int argc, char **argv)
{
  int first, second;

  bip_init();
  if (bip_mynode == 2) chat(3);
  if (bip_mynode == 3) chat(2);
  if (bip_mynode == 0) {
    bip_trecvx(READY, word, 1, &first);
    bip_trecvx(READY, word, 1, &second);
    word[0] = 1;
    bip_tsend(first, ANSWER, word, 1);
    word[0] = 0;
    bip_tsend(second, ANSWER, word, 1);
  } else if (bip_mynode < 3) {
    bip_tsend(0, READY, word, 1);
    bip_trecv(ANSWER, word, 1);
    if (bip_mynode == 1 && word[0] == 1) bip_tsend(2, RESULT, word, 1);
    if (bip_mynode == 2) bip_trecv(RESULT, word, 1); /* swapped waits here */
  }
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
