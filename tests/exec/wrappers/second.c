/* Wraps the calls of twice.c and goes on by their second names. */
#include <dlfcn.h>
#include <unistd.h>

int Pstep(int), Pjump(int), Pleap(int);

static int (*const fixed)(int) = Pjump;
static int (*kept)(int) = Pleap;

static void say(void) { write(1, LETTER, 1); }

int step(int x)
{
  say();
  return Pstep(x);
}

int jump(int x)
{
  say();
  return (*(int (*const volatile *)(int))&fixed)(x);
}

int leap(int x)
{
  say();
  return (*(int (*volatile *)(int))&kept)(x);
}

/* Declares to Earl that this wraps a front end. */
void gsync(void) { ((void (*)(void))dlsym(RTLD_NEXT, "gsync"))(); }
/* SPDX-License-Identifier: BSD-3-Clause */
