/* The last node executes its argument; the others wait for it. */
#include <nx.h>
#include <stdlib.h>
#include <string.h>

static int depth(int n) {
  volatile char room[4096];
  room[0] = (char)n;
  return n < 0 ? 0 : depth(n + 1) + room[0];
}

/* Returns to nowhere. The counter is not on the stack that is written over. */
static __attribute__((noinline)) void smash(void) {
  static volatile long *frame;
  static int i;
  volatile long room[2];
  for (frame = room, i = 0; i < 40; i++) frame[i] = 0x4141414141414141;
}

int main(int argc, char **argv) {
  volatile int zero = 0;
  int *volatile nowhere = 0;
  char *volatile twice = malloc(10);
  if (mynode() == numnodes() - 1) {
    if (strcmp(argv[argc - 1], "pointer") == 0) *nowhere = 1;
    if (strcmp(argv[argc - 1], "division") == 0) return (int)numnodes() / zero;
    if (strcmp(argv[argc - 1], "abort") == 0) abort();
    if (strcmp(argv[argc - 1], "stack") == 0) return depth(0);
    if (strcmp(argv[argc - 1], "library") == 0) return (int)strlen((char *)nowhere);
    if (strcmp(argv[argc - 1], "twice") == 0) {
      free(twice);
      free(twice);
    }
    if (strcmp(argv[argc - 1], "call") == 0) ((void (*)(void))nowhere)();
    if (strcmp(argv[argc - 1], "smash") == 0) smash();
    if (strcmp(argv[argc - 1], "buffer") == 0) {
      csend(2, "ready", 5, 0, 0);
      crecv(3, (char *)nowhere + 16, 8);
    }
  } else if (mynode() == 0 && strcmp(argv[argc - 1], "buffer") == 0) {
    char ready[8];
    crecv(2, ready, 8);
    csend(3, ready, 8, numnodes() - 1, 0);
  }
  crecv(1, 0, 0);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
