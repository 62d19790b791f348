/* A master gives many pieces to the workers that ask; which worker gets which does not matter. Then comes
 * what depends on timing: the order of the workers' last messages, which is printed.
 * usage: late PIECES [poll] [kill]: the master polls for each request; it is killed at the end */
#include <cube.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASK 1
#define WORK 2
#define LAST 3
#define LASTS 20

static void work(void)
{
  long answer = 0, piece, i;

  for (;;) {
    csend(ASK, &answer, (long)sizeof answer, 0L, 0L);
    crecv(WORK, &piece, (long)sizeof piece);
    if (piece < 0) break;
    answer = piece;
  }
  for (i = 0; i < LASTS; i++) csend(LAST, &i, (long)sizeof i, 0L, 0L);
}

int main(int argc, char** argv)
{
  long workers = numnodes() - 1, pieces = argc > 1 ? atol(argv[1]) : 0, answer, piece, next, ended = 0, i;
  double sum = 0;
  int polls = argc > 2 && strcmp(argv[2], "poll") == 0, is_killed = argc > 2 && strcmp(argv[argc - 1], "kill") == 0;

  if (mynode() != 0) {
    work();
    return 0;
  }
  for (piece = 0; ended < workers; piece++) {
    while (polls && !iprobe(ASK)) continue;
    crecv(ASK, &answer, (long)sizeof answer);
    sum += answer;
    next = piece < pieces ? piece : -1;
    if (next < 0) ended++;
    csend(WORK, &next, (long)sizeof next, infonode(), 0L);
  }
  printf("sum %.0f\norder", sum);
  for (i = 0; i < LASTS * workers; i++) {
    crecv(LAST, &answer, (long)sizeof answer);
    printf(" %ld", infonode());
  }
  printf("\n");
  fflush(stdout);
  if (is_killed) raise(SIGKILL);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
