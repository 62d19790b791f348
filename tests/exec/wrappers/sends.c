/* Node n sends itself n + 1 messages; the first argument is how many nodes there have to be. */
#include <stdio.h>
#include <stdlib.h>

long mynode(void), numnodes(void);
void csend(long, char *, long, long, long), crecv(long, char *, long);

int main(int argc, char **argv)
{
  char byte = 0;
  long left = mynode() + 1;
  if (argc > 1 && numnodes() != atol(argv[1]))
    return 3;
  for (; left > 0; left--) {
    csend(5, &byte, 1, mynode(), 0);
    crecv(5, &byte, 1);
  }
  puts(" EARL-OK");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
