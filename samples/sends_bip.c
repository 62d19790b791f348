/*
 * sends_bip.c: a wrapper for BIP: how often a node sent.
 *   earl run --tool ./sends_bip.so -n 3 ./token
 */
#define _GNU_SOURCE
#include "bip.h"
#include <dlfcn.h>
#include <stdio.h>

static int sends;

int bip_send(int destination, int *data, int words)
{
  static int (*next)(int, int *, int);
  if (!next)
    next = (int (*)(int, int *, int))dlsym(RTLD_NEXT, "bip_send");
  sends++;
  return next(destination, data, words);
}

__attribute__((destructor)) static void report(void)
{
  if (sends != 0)
    printf("sends_bip: node %d sent %d\n", bip_mynode, sends);
}
/* SPDX-License-Identifier: BSD-3-Clause */
