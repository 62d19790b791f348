/*
 * moody.c: node 0 takes messages as they come, the others send one and wait for an answer. For the
 * tests of recordings that are cut, of full disks, and of programs that change their mind.
 * usage: moody [rounds]; without rounds it goes on until it is killed.
 */
#include <cube.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define WORK 7
#define ANSWER 8

static void collect(long rounds)
{
  long word, clocks = 0, n, other = getenv("MOOD") || access("mood", F_OK) == 0;

  printf("pid %ld\n", (long)getpid());
  for (n = 0; n != rounds; n++) {
    if (other) {
      crecv(WORK, &word, sizeof word);
      clocks += infotype(); /* or a compiler makes one call of the two */
    } else
      crecv(-1, &word, sizeof word);
    clocks += mclock();
    if (n < 1000)
      printf("message %ld from %ld\n", n, infonode());
    csend(ANSWER, &word, sizeof word, infonode(), 0);
  }
}

static void work(void)
{
  long word = mynode();

  if (getenv("STILL"))
    poll(0, 0, -1);
  do {
    csend(WORK, &word, sizeof word, 0, 0);
    crecv(ANSWER, &word, sizeof word);
  } while (!getenv("ONCE"));
}

int main(int argc, char **argv)
{
  if (mynode() != 0)
    work();
  else
    collect(argc > 1 ? atol(argv[1]) : -1);
  if (!getenv("ONCE"))
    killcube(-1, 0);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
