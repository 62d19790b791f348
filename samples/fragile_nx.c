/*
 * fragile_nx.c: mistakes that show in one order of messages only. The other order is by far the
 * usual one. usage: fragile_nx pool|first|answer
 */
#include <nx.h>
#include <stdlib.h>
#include <string.h>

#define WORK 1
#define RESULT 2
#define MORE 3
#define STOP 4
#define CHAT 9

static long word;

static void put(long tag, long node)
{
  csend(tag, (char *)&word, sizeof word, node, 0);
}

static long get(long tag)
{
  crecv(tag, (char *)&word, sizeof word);
  return infonode();
}

/* Makes the last node late. */
static void chat(long one, long other)
{
  int i;

  for (i = 0; i < 20; i++)
    if (mynode() == one) {
      put(CHAT, other);
      get(CHAT);
    } else if (mynode() == other) {
      get(CHAT);
      put(CHAT, one);
    }
}

/* The node that is ready first gets more to do; its answer is waited for as if that were node 1. */
static void pool(void)
{
  if (mynode() == 0) {
    put(WORK, 1);
    put(WORK, 2);
    put(MORE, get(RESULT));
    put(STOP, get(RESULT));
    crecvx(MORE, (char *)&word, sizeof word, 1, -1, msginfo); /* pool waits here */
    return;
  }
  get(WORK);
  if (mynode() == 2) chat(2, 3);
  put(RESULT, 0);
  get(-1);
  if (infotype() == MORE) put(MORE, 0);
}

/* Each adds a digit; the sum is right when they come in their order. */
static void first(void)
{
  long sum = 0, i;

  if (mynode() == 0) {
    for (i = 0; i < 2; i++) {
      get(RESULT);
      sum = 10 * sum + word;
    }
    if (sum != 12) exit(1);
  } else if (mynode() < 3) {
    if (mynode() == 2) chat(2, 3);
    word = mynode();
    put(RESULT, 0);
  }
}

/* A message is there whenever it is looked for, or so it seems: nothing waits for it later. */
static void answer(void)
{
  if (mynode() == 0) {
    get(CHAT);
    if (iprobe(RESULT)) {
      get(RESULT);
      put(MORE, 1);
    }
    get(WORK);
  } else if (mynode() == 1) {
    put(RESULT, 0);
    put(CHAT, 2);
    get(MORE); /* answer waits here */
    put(WORK, 0);
  } else if (mynode() == 2) {
    get(CHAT);
    put(CHAT, 0);
  }
}

int main(int argc, char **argv)
{
  char const *which = argc > 1 ? argv[1] : "";

  if (mynode() == 3 && strcmp(which, "answer") != 0) chat(2, 3);
  if (!strcmp(which, "pool")) {
    if (mynode() != 3) pool();
  } else if (!strcmp(which, "first"))
    first();
  else if (!strcmp(which, "answer"))
    answer();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
