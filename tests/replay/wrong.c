/*
 * wrong.c: programs with one fault each; comments name the lines that a report must name.
 * usage: wrong right|race|orphan|open|ring|stuck|code|changed|much, on 3 nodes
 */
#include <cube.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DATA 1
#define LOST 7

static long word;

static void right(void)
{
  if (mynode() == 0)
    csend(DATA, &word, sizeof word, 1, 0);
  else if (mynode() == 1)
    crecv(DATA, &word, sizeof word);
  gsync();
}

static void race(void)
{
  if (mynode() == 0) {
    crecv(DATA, &word, sizeof word); /* racing receive */
    crecv(DATA, &word, sizeof word);
  } else {
    word = mynode();
    csend(DATA, &word, sizeof word, 0, 0);
  }
}

static void orphan(void)
{
  long i;

  right();
  for (i = 0; mynode() == 2 && i < 3; i++)
    csend(LOST, &word, sizeof word, 1, 0); /* lost message */
}

static void open_receive(void)
{
  right();
  if (mynode() == 1)
    irecv(LOST, &word, sizeof word); /* open receive */
}

/* Each sends to its right neighbour, then receives. */
static void ring(void)
{
  csend(DATA, &word, sizeof word, (mynode() + 1) % numnodes(), 0); /* ring send */
  crecv(DATA, &word, sizeof word);
}

static void stuck(void)
{
  crecv(DATA, &word, sizeof word); /* stuck receive */
}

static void code(void)
{
  if (mynode() == 0)
    exit(3);
}

/* It depends on a file that no recording knows. */
static void changed(void)
{
  long wanted;

  if (mynode() == 0)
    csend(LOST, &word, sizeof word, 1, 0);
  if (mynode() == 1) {
    wanted = irecv(LOST, &word, sizeof word);
    if (access("changed", F_OK) == 0)
      abort();
    msgwait(wanted);
  }
}

/* Long messages, a collective, and an input; what each writes depends on all of them. */
static void much(void)
{
  static long row[40000];
  long i, number = 0, sum = 0, with;

  if (mynode() == 0 && scanf("%ld", &number) != 1)
    exit(1);
  for (i = 0; i < 40000; i++)
    row[i] = i + number + mynode();
  csend(DATA, row, sizeof row, (mynode() + 1) % numnodes(), 0);
  crecv(-1, row, sizeof row);
  for (i = 0; i < 40000; i++)
    sum += row[i] * (infonode() + 1);
  gisum(&sum, 1, &with);
  printf("%s %ld: %ld\n", getenv("MARK"), mynode(), sum); /* the result */
}

int main(int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*run)(void);
  } all[] = {{"right", right}, {"race", race},   {"orphan", orphan}, {"open", open_receive},
             {"ring", ring},   {"stuck", stuck}, {"code", code},
             {"changed", changed}, {"much", much}};
  size_t i;

  printf("hello\n");
  for (i = 0; argc > 1 && i < sizeof all / sizeof all[0]; i++)
    if (!strcmp(argv[1], all[i].name))
      all[i].run();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
