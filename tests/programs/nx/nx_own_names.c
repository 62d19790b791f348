/* A program's own led(), load() and gray() are not the library's. */
#include "../common/check.h"

int lights = 0;

led(n)
{
  lights += n;
}

load(a, b)
char *a, *b;
{
  return a == b;
}

gray(colour)
{
  return colour + 1;
}

main()
{
  led(3), led(4);
  CHECK(lights == 7 && load("a", "b") == 0 && gray(41) == 42);
  gsync();
  CHECK(ginv(3) == 2);
  printf("EARL-OK\n");
  exit(0);
}
/* SPDX-License-Identifier: BSD-3-Clause */
