/*
 * racing.c: small exchanges with known races. Comments name the lines that a report
 * must name. usage: racing pair|relay|phases|posted|crossed|stuck|circle
 */
#include <cube.h>
#include <stdio.h>
#include <string.h>

#define DATA 1
#define GO 2

static long word;

static void get(void)
{
  crecv(-1, &word, sizeof word); /* any receive */
}

static void pair(void)
{
  if (mynode() == 0) {
    crecv(DATA, &word, sizeof word); /* racing receive */
    crecv(DATA, &word, sizeof word);
  } else if (mynode() == 1)
    csend(DATA, &word, sizeof word, 0, 0); /* one send */
  else if (mynode() == 2) {
    word = 2;
    csend(DATA, &word, sizeof word, 0, 0); /* other send */
  }
}

/* The second sender knows from the receiver that it has the first message. */
static void relay(void)
{
  if (mynode() == 0) {
    get();
    csend(GO, &word, sizeof word, 1, 0);
    get();
  } else if (mynode() == 1) {
    csend(DATA, &word, sizeof word, 0, 0);
    get();
    csend(GO, &word, sizeof word, 2, 0);
  } else if (mynode() == 2) {
    get();
    csend(DATA, &word, sizeof word, 0, 0);
  }
}

/* One sender at a time, and all meet in between: by a barrier, then by a sum. */
static void phases(void)
{
  long phase, sum, with;

  for (phase = 0; phase < 6; phase++) {
    long sender = 1 + phase % (numnodes() - 1);
    if (mynode() == sender) {
      csend(DATA, &word, sizeof word, 0, 0);
      csend(GO, &word, sizeof word, 0, 0);
    }
    if (mynode() == 0) {
      get();
      get();
    }
    sum = 1;
    if (phase % 2)
      gisum(&sum, 1, &with);
    else
      gsync();
  }
}

static void posted(void)
{
  long a, b, ids[2];

  if (mynode() == 0) {
    ids[0] = irecv(DATA, &a, sizeof a); /* first post */
    ids[1] = irecv(DATA, &b, sizeof b); /* second post */
    msgwait(ids[1]);
    msgwait(ids[0]);
  } else if (mynode() < 3)
    csend(DATA, &word, sizeof word, 0, 0);
}

/* A receive is posted before the send that its message hangs on. */
static void crossed(void)
{
  long id, go = 0;

  if (mynode() == 0) {
    id = irecv(DATA, &word, sizeof word); /* posted receive */
    csend(GO, &go, sizeof go, 1, 0);
    msgwait(id); /* crossed wait */
  } else if (mynode() == 1) {
    crecv(GO, &go, sizeof go);
    csend(DATA, &go, sizeof go, 0, 0);
  }
}

/* Ends in a deadlock, after a race. */
static void stuck(void)
{
  pair();
  get();
}

/* Ranks 0 to 2 wait for each other, all others for rank 0, the last for any. */
static void circle(void)
{
  long me = mynode(), from = me < 3 ? (me + 1) % 3 : 0;

  csend(GO, &word, sizeof word, (me + 1) % numnodes(), 0);
  crecv(GO, &word, sizeof word);
  if (me == numnodes() - 1)
    get();
  crecvx(DATA, &word, sizeof word, from, 0, msginfo); /* circular wait */
}

int main(int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*run)(void);
  } all[] = {{"pair", pair}, {"relay", relay}, {"phases", phases}, {"posted", posted}, {"crossed", crossed}, {"stuck", stuck}, {"circle", circle}};
  size_t i;

  for (i = 0; argc > 1 && i < sizeof all / sizeof all[0]; i++)
    if (!strcmp(argv[1], all[i].name))
      all[i].run();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
