/* A program to stop with a debugger: each rank counts for itself, in a function of its own, here and in
   another file. */
#include <cube.h>
#include <stdio.h>

int counter;
extern int elsewhere;
extern void count_elsewhere();

void tally(n)
int n;
{
  counter += n;
  count_elsewhere(n);
}

int main()
{
  long me = mynode();
  int i;
  for (i = 0; i < 3; i++) tally((int)me * 10 + i);
  gsync();
  printf("node %ld counted %d\n", me, counter);
  return counter != elsewhere;
}
/* SPDX-License-Identifier: BSD-3-Clause */
