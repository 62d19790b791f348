/* For programs that check themselves: prints the failed check and its place, and ends with status 1. */
#include <stdio.h>
#include <stdlib.h>

#define CHECK(what)                                                                     \
  do {                                                                                  \
    if (!(what)) {                                                                      \
      printf("node %d, %s:%d: not so: %s\n", (int)mynode(), __FILE__, __LINE__, #what); \
      exit(1);                                                                          \
    }                                                                                   \
  } while (0)
/* SPDX-License-Identifier: BSD-3-Clause */
