/* A forked node that ends as the argument says, and one that waits for ever. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <nx.h>

#include "../common/check.h"

int main(argc, argv)
int argc;
char **argv;
{
  long nodes = 2, x;

  if (nx_initve("", nodes, "", &argc, argv) != 2) return 3;
  setptype(0L);
  nodes = nx_nfork((long *)0, -1L, 0L, (long *)0);
  if (nodes == -1) return 4;
  if (nodes == 0) {
    gsync();
    signal(SIGSEGV, SIG_DFL); /* a sanitizer would make a report of it */
    if (mynode() == 1 && !strcmp(argv[1], "crash")) raise(SIGSEGV);
    if (mynode() == 1 && !strcmp(argv[1], "mistake")) csend(-2L, &x, 8L, 0L, 0L);
    if (mynode() == 1 && !strcmp(argv[1], "leave")) _exit(0);
    if (mynode() == 1 && !strcmp(argv[1], "all")) kill(0, SIGKILL);
    if (mynode() == 0 && !strcmp(argv[1], "leave")) return 0;
    if (mynode() == 0 && !strcmp(argv[1], "print")) printf("there\n");
    crecv(9L, &x, 8L);
    return 0;
  }
  nx_waitall();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
