/* A task's output goes to its parent's standard output when that is the file to catch it in. */
#include <pvm3.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int child;
  pvm_mytid();
  if (pvm_parent() > 0) {
    printf("said by a child\n");
  } else {
    pvm_catchout(stdout);
    pvm_spawn(argv[0], 0, 0, "", 1, &child);
  }
  pvm_exit();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
