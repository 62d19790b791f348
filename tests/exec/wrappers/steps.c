/* Calls each of twice.c's functions once by its first name, and one by its second. */
#include <stdio.h>

int step(int), jump(int), leap(int), Pstep(int);

int main(void)
{
  int sum = step(0) + jump(0) + leap(0) + Pstep(0);
  printf(" %d\n", sum);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
