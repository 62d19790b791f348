/* perror() and strerror() after a call has failed: NX's numbers and the system's. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <nx.h>

#include "nx_check.h"

static char printed[200];

static char *said(number, word)
int number;
char *word;
{
  int ends[2], kept = dup(2), n;

  CHECK(pipe(ends) == 0 && dup2(ends[1], 2) == 2);
  errno = number;
  perror(word);
  CHECK(errno == number);
  fflush(stderr);
  dup2(kept, 2);
  close(ends[1]);
  n = read(ends[0], printed, sizeof printed - 1);
  close(ends[0]);
  close(kept);
  printed[n < 0 ? 0 : n] = 0;
  return printed;
}

int main()
{
  long x = 0;

  CHECK(_csend(-2L, &x, 8L, 0L, 0L) == -1);
  CHECK(!strcmp(said(errno, "csend"), "csend: bad type\n"));
  CHECK(!strcmp(said(EQMSGLONG, ""), "message longer than buffer\n"));
  CHECK(!strcmp(said(ENOENT, "open"), "open: No such file or directory\n"));
  CHECK(!strcmp(strerror(EQDRVERR), "driver failure"));
  CHECK(!strcmp(strerror(EQPATH), "path too long"));
  CHECK(!strcmp(strerror(ENOENT), "No such file or directory"));
  CHECK(!strcmp(strerror(EQPATH + 1), "Unknown error 221"));
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
