/* A node that is killed takes its unfinished message along: a receive from any node goes on, and takes
   the next one. Without --send synchronous a back end may have the message already. */
#include <cube.h>

#include "../common/check.h"
#include "../common/runs.h"

#include <signal.h>
#include <unistd.h>

#define SIZE 1000000
#define UNFINISHED 5L
#define WHOLE 7L
#define PID 1L
#define GO 2L

static char message[SIZE];

static int all(letter, count)
int letter;
long count;
{
  long i;

  for (i = 0; i < count; i++)
    if (message[i] != letter) return 0;
  return 1;
}

main()
{
  long pid = getpid(), wanted;

  if (mynode() == 1) {
    csend(PID, &pid, (long)sizeof pid, 0L, 0L);
    memset(message, 'u', SIZE);
    csend(UNFINISHED, message, (long)SIZE, 0L, 0L);
    crecv(99L, &pid, 0L);
  }
  if (mynode() == 2) {
    crecv(GO, &pid, 0L);
    memset(message, 'w', SIZE);
    csend(WHOLE, message, (long)SIZE, 0L, 0L);
  }
  if (mynode() == 0) {
    crecv(PID, &pid, (long)sizeof pid);
    cprobe(UNFINISHED);
    killproc(1L, 0L);
    while (pid != getpid() && runs(pid)) usleep(1000L);
    wanted = irecv(-1L, message, (long)SIZE);
    csend(GO, message, 0L, 2L, 0L);
    msgwait(wanted);
    if (infotype() == UNFINISHED) {
      CHECK(infocount() == SIZE && all('u', (long)SIZE));
      crecv(-1L, message, (long)SIZE);
    } else {
      fprintf(stderr, "lost\n");
    }
    CHECK(infotype() == WHOLE && infonode() == 2 && infocount() == SIZE);
    CHECK(all('w', (long)SIZE));
  }
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
