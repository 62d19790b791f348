/*
 * inputs.c: inputs of a run beside its messages. For the tests of whole recordings.
 * usage: inputs read|stuck|circle|contents|sums|gather
 */
#include <cube.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORD 7

/* Node 0 adds up its input and sends the sum on. */
static void read_all(void)
{
  long sum = 0, number;

  if (mynode() == 0) {
    while (scanf("%ld", &number) == 1)
      sum += number;
    csend(WORD, &sum, sizeof sum, -1, 0);
  } else
    crecv(WORD, &sum, sizeof sum);
  printf("node %ld: sum %ld, flavour %s\n", mynode(), sum,
         getenv("FLAVOUR") ? getenv("FLAVOUR") : "none");
}

/* Both wait for messages that the other never sends. */
static void stand_still(void)
{
  long word = 0;

  csend(WORD, &word, sizeof word, 1 - mynode(), 0);
  crecv(WORD, &word, sizeof word);
  crecv(WORD + 1, &word, sizeof word);
}

/* A deadlock only if a send waits for its receiver. */
static void circle(void)
{
  long word = 0;

  csend(WORD, &word, sizeof word, 1 - mynode(), 0);
  crecv(WORD, &word, sizeof word);
}

static void send_contents(void)
{
  char text[16] = "recorded";
  long word = 0;
  int i;

  if (getenv("FLAVOUR"))
    strcpy(text, getenv("FLAVOUR"));
  if (strcmp(text, "pid") == 0) /* other bytes in each run */
    sprintf(text, "%d", (int)getpid());
  for (i = 0; i < 3; i++)
    if (mynode() == 0) {
      if (i == 2) /* node 1 comes to its last receive */
        crecv(WORD + i, &word, sizeof word);
      csend(WORD + i, i == 1 ? text : "the same", 9, 1, 0);
    } else {
      if (i == 2)
        csend(WORD + i, &word, sizeof word, 0, 0);
      crecv(WORD + i, text, sizeof text);
    }
}

/* Node 1 gives other bytes to the second one if the environment says so. */
static void sum_up(void)
{
  long value, work, sum = 0;
  int i;

  for (i = 0; i < 3; i++) {
    value = i == 1 && mynode() == 1 && getenv("FLAVOUR") ? (long)strlen(getenv("FLAVOUR")) : i;
    gisum(&value, 1, &work);
    sum += value;
  }
  if (mynode() == 0)
    printf("sums %ld\n", sum);
}

/* Node 0 receives from all others, in any order. */
static void gather(void)
{
  long word = mynode();
  int i;

  if (mynode() != 0)
    csend(WORD, &word, sizeof word, 0, 0);
  else
    for (i = 1; i < numnodes(); i++)
      crecv(WORD, &word, sizeof word);
}

int main(int argc, char **argv)
{
  char what = argc > 1 ? argv[1][0] : 'r';

  if (what == 'r')
    read_all();
  else if (what == 's' && argv[1][1] == 't')
    stand_still();
  else if (what == 'c' && argv[1][1] == 'i')
    circle();
  else if (what == 's' && argv[1][1] == 'u')
    sum_up();
  else if (what == 'g')
    gather();
  else
    send_contents();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
