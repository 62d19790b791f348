/*
 * waits.c: a wrapper for NX: how often a node received, and how many bytes came.
 *   earl run --tool ./waits.so -n 4 ./ring
 */
#define _GNU_SOURCE
#include <cube.h>
#include <dlfcn.h>
#include <stdio.h>

#ifndef NAME
#define NAME "waits"
#endif

static long receives, bytes;

void crecv(long type, void *data, long size)
{
  static void (*next)(long, void *, long);
  if (!next)
    next = (void (*)(long, void *, long))dlsym(RTLD_NEXT, "crecv");
  next(type, data, size);
  receives++;
  bytes += infocount();
}

__attribute__((destructor)) static void report(void)
{
  if (receives != 0)
    printf("%s: node %ld received %ld messages, %ld bytes\n", NAME, mynode(), receives, bytes);
}
/* SPDX-License-Identifier: BSD-3-Clause */
