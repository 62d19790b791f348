/* Techniques of programs on BIP beside its manual: names sent round without knowing the sender, a length
 * and then its body, unaligned memory, a buffer used again because an answer has come. */
#include "bip_check.h"

static int memory[2000];
static char bytes[401];

/* Node k's name goes to every other, node after node. */
names(words)
int words;
{
  int from, node, name[BIPSMALLSIZE], k;

  for (node = 0; node < bip_numnodes; node++) {
    for (k = 0; k < words; k++) name[k] = node * 100 + k;
    if (node == bip_mynode)
      for (k = 0; k < bip_numnodes; k++) {
        if (k != node) bip_send(k, name, words);
      }
    else {
      memset(name, 0, sizeof name);
      CHECK(bip_recvx(name, BIPSMALLSIZE, &from) == words);
      CHECK(from >= 0 && from != bip_mynode && name[words - 1] == from * 100 + words - 1);
    }
    /* The next one's name may not come before this. */
    if (bip_mynode == 0)
      for (k = 1; k < bip_numnodes; k++) bip_trecv(7, name, 1);
    else bip_tsend(0, 7, name, 1);
    if (bip_mynode == 0)
      for (k = 1; k < bip_numnodes; k++) bip_tsend(k, 8, name, 1);
    else bip_trecv(8, name, 1);
  }
}

/* A message of one word that says how long the next one on its tag is. */
lengths_and_bodies()
{
  static int of[4] = {3, BIPSMALLSIZE, BIPSMALLSIZE + 1, 1999};
  int i, k, length;

  for (i = 0; i < 4; i++)
    if (bip_mynode == 0) {
      for (k = 0; k < of[i]; k++) memory[k] = i * k;
      bip_tsend(1, 4, &of[i], 1);
      bip_tsend(1, 4, memory, of[i]);
    } else {
      CHECK(bip_trecv(4, &length, 1) == 1 && length == of[i]);
      CHECK(bip_trecv(4, memory, length) == length);
      for (k = 0; k < length; k++) CHECK(memory[k] == i * k);
    }
}

/* A request, an acknowledgement, the rest: from memory aligned to words and no more. */
two_phases()
{
  int i, id, word = 0;

  for (i = 0; i < 2000; i++) memory[i] = bip_mynode == 0 ? 7 * i : 0;
  if (bip_mynode == 0) {
    bip_tsend(1, 0, memory + 1, BIPSMALLSIZE);
    bip_trecv(1, &word, 1);
    bip_tsend(1, 2, memory + 1 + BIPSMALLSIZE, 1500);
  } else {
    CHECK(bip_trecv(0, memory + 1, BIPSMALLSIZE) == BIPSMALLSIZE);
    id = bip_tirecv(2, memory + 1 + BIPSMALLSIZE, 1500);
    bip_tsend(0, 1, &word, 1);
    CHECK(bip_rwait(id) == 1500);
    for (i = 1; i <= 1500 + BIPSMALLSIZE; i++) CHECK(memory[i] == 7 * i);
  }
}

/* These sends are not waited for: the answer implies that they have come. */
answers()
{
  int i, value, got, id;

  for (i = 0; i < 100; i++)
    if (bip_mynode == 0) {
      value = i;
      bip_tisend(1, 5, &value, 1);
      bip_trecv(6, &got, 1);
      CHECK(got == i);
    } else {
      bip_trecv(5, &got, 1);
      id = bip_tisend(0, 6, &got, 1);
      while (!bip_stest(id)) sched_yield();
    }
}

/* A string sent as whole words from where it happens to be; and a message of nothing. */
strings()
{
  int id, done;

  if (bip_mynode == 0) {
    strcpy(bytes + 1, "unaligned");
    bip_tsend(1, 2, (int *)(bytes + 1), 3);
    bip_tsend(1, 2, (int *)(bytes + 1), 100);
    bip_tsend(1, 2, (int *)0, 0);
  } else {
    CHECK(bip_trecv(2, (int *)(bytes + 1), 3) == 3 && !strcmp(bytes + 1, "unaligned"));
    memset(bytes, 0, sizeof bytes);
    CHECK(bip_trecv(2, (int *)(bytes + 1), 100) == 100 && !strcmp(bytes + 1, "unaligned"));
    id = bip_tirecv(2, (int *)(bytes + 1), 0);
    while ((done = bip_rtest(id)) == -1) sched_yield();
    CHECK(done == 0);
  }
}

/* From a stack that is used again at once: a short message for which there is room has been taken. */
send_one(i)
int i;
{
  int word = i;

  bip_tisend(1, 9, &word, 1);
}

from_the_stack()
{
  int i, got;

  for (i = 0; i < 50; i++)
    if (bip_mynode == 0) {
      send_one(i);
      names_nothing(-1, -2, -3);
    } else {
      CHECK(bip_trecv(9, &got, 1) == 1 && got == i);
    }
}

/* Overwrites the stack frame of an earlier function. */
names_nothing(a, b, c)
int a, b, c;
{
  volatile int over[16];
  int i;

  for (i = 0; i < 16; i++) over[i] = a + b + c;
  return over[7];
}

main()
{
  bip_init();
  names(16);
  names(BIPSMALLSIZE);
  if (bip_mynode < 2) {
    lengths_and_bodies();
    two_phases();
    answers();
    strings();
    from_the_stack();
  }
  OK();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
