/* For BIP programs that check themselves: prints the failed check and its place, and ends. */
#include <bip.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what)                                                                    \
  do {                                                                                 \
    if (!(what)) {                                                                     \
      printf("node %d, %s:%d: not so: %s\n", bip_mynode, __FILE__, __LINE__, #what);   \
      exit(1);                                                                         \
    }                                                                                  \
  } while (0)

#define OK() printf("EARL-OK\n")
/* SPDX-License-Identifier: BSD-3-Clause */
