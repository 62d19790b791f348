/* 64 MiB in pieces of 128 and 512 KiB, each asked for before it is sent; and the published ping-pong,
 * 1 word to 4 MiB into memory that is larger than the message. */
#include "bip_check.h"

#define MOST 1048576

static int out[MOST], in[MOST];

pieces(words, many)
int words, many;
{
  int i, k, id, word = 0;

  for (i = 0; i < many; i++)
    if (bip_mynode == 0) {
      bip_trecv(1, &word, 1);
      out[0] = out[words - 1] = i;
      bip_tsend(1, 2, out, words);
    } else {
      id = bip_tirecv(2, in, words);
      bip_tsend(0, 1, &word, 1);
      CHECK(bip_rwait(id) == words && in[0] == i && in[words - 1] == i);
      for (k = 1; k < words - 1; k += 977) CHECK(in[k] == 5 * k);
    }
}

main()
{
  int i, words;

  bip_init();
  for (i = 0; i < MOST; i++) out[i] = 5 * i;
  pieces(32768, 256);
  pieces(131072, 64);
  for (words = 1; words <= MOST; words *= 16)
    if (bip_mynode == 0) {
      out[words - 1] = words;
      bip_send(1, out, words);
      CHECK(bip_recv(in, MOST) == words && in[words - 1] == words);
    } else {
      CHECK(bip_recv(in, MOST) == words && in[words - 1] == words);
      bip_send(0, in, words);
    }
  OK();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
