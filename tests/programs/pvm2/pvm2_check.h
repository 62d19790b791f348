/* For PVM 2 programs that check themselves: prints the failed check and its place, and ends. */
#include <pvmuser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what)                                             \
  do {                                                          \
    if (!(what)) {                                              \
      printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #what); \
      exit(1);                                                  \
    }                                                           \
  } while (0)
/* SPDX-License-Identifier: BSD-3-Clause */
