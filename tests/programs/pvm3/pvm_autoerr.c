/* Makes one mistake with PvmAutoErr set to its first argument; without one, as it is at first. */
#include "pvm_check.h"

int main(argc, argv)
int argc;
char** argv;
{
  pvm_mytid();
  if (argc > 1) pvm_setopt(PvmAutoErr, atoi(argv[1]));
  CHECK(pvm_freebuf(-1) == PvmBadParam);
  printf("it went on\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
