/* A master hands out work to the first that asks. The distribution differs from run to run;
 * the sum does not. */
#include <cube.h>

#include "../common/check.h"

#define ASK 1
#define WORK 2
#define PIECES 200

main()
{
  long me = mynode(), workers = numnodes() - 1, i, piece, answer, ended = 0, sum = 0;

  if (me != 0) {
    answer = 0;
    for (;;) {
      csend(ASK, &answer, (long)sizeof answer, 0L, 0L);
      crecv(WORK, &piece, (long)sizeof piece);
      if (piece < 0) break;
      for (i = 0, answer = 0; i < piece; i++) answer += i;
    }
    printf("EARL-OK\n");
    return 0;
  }
  for (piece = 0; ended < workers; piece++) {
    crecv(-1L, &answer, (long)sizeof answer); /* the race */
    printf("piece %ld to %ld\n", piece, infonode());
    sum += answer;
    i = piece < PIECES ? piece : -1;
    if (i < 0) ended++;
    csend(WORK, &i, (long)sizeof i, infonode(), 0L);
  }
  for (i = 0; i < PIECES; i++) sum -= i * (i - 1) / 2;
  CHECK(sum == 0);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
