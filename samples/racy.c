/*
 * racy.c: a master that trusts the order in which results arrive, and so prints another answer in
 * almost every run. Record it, and replay the run in question as often as you like:
 *   earl record -o racy.earl -n 8 ./racy; earl replay racy.earl
 */
#include <cube.h>
#include <stdio.h>

#define RESULT 7
#define ROUNDS 40

struct result {
  int worker, round;
  double value;
};

work(me)
int me;
{
  struct result mine;
  int step;

  mine.worker = me;
  for (mine.round = 0; mine.round < ROUNDS; mine.round++) {
    mine.value = me;
    for (step = me * mine.round * 7919 % 30000; step > 0; step--)
      mine.value = mine.value / 2 + 1;
    csend(RESULT, &mine, sizeof mine, 0, 0);
  }
}

collect(workers)
int workers;
{
  struct result next;
  unsigned answer = 0;
  int i;

  printf("arrived:");
  for (i = 0; i < workers * ROUNDS; i++) {
    crecv(-1, &next, sizeof next); /* any sender */
    answer = answer * 31 + next.worker;
    printf(" %d", next.worker);
  }
  printf("\nanswer: %u\n", answer);
}

main()
{
  gsync();
  if (mynode() == 0)
    collect(numnodes() - 1);
  else
    work(mynode());
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
