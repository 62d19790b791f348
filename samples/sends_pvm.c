/*
 * sends_pvm.c: a wrapper for PVM 3: how often a task sent.
 *   earl run --tool ./sends_pvm.so ./puzzle
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pvm3.h>
#include <stdio.h>

static int sends;

int pvm_send(int tid, int tag)
{
  static int (*next)(int, int);
  if (!next)
    next = (int (*)(int, int))dlsym(RTLD_NEXT, "pvm_send");
  sends++;
  return next(tid, tag);
}

__attribute__((destructor)) static void report(void)
{
  if (sends != 0)
    fprintf(stderr, "sends_pvm: a task sent %d messages\n", sends);
}
/* SPDX-License-Identifier: BSD-3-Clause */
