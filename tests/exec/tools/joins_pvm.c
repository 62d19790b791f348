/* Each task joins a group, and prints its index and its instance there: the order of its request. */
#include <pvm3.h>
#include <stdio.h>

int main()
{
  int *tids, me = pvm_mytid(), index = 0, tasks = pvm_siblings(&tids);

  while (tids[index] != me) index++;
  printf("%d is %d\n", index, pvm_joingroup("all"));
  pvm_barrier("all", tasks);
  pvm_exit();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
