/* For PVM programs that check themselves: prints the failed check and its place, and ends. */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(what)                                                                         \
  do {                                                                                      \
    if (!(what)) {                                                                          \
      printf("t%x, %s:%d: not so: %s\n", (unsigned)pvm_mytid(), __FILE__, __LINE__, #what); \
      exit(1);                                                                              \
    }                                                                                       \
  } while (0)
/* SPDX-License-Identifier: BSD-3-Clause */
