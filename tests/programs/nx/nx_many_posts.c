/* As MPICH's NX device starts up: 950 receives are posted, then all send to all. */
#include <cube.h>

#include "../common/check.h"

#define POSTS 950

long ids[POSTS];
int in[POSTS];

main()
{
  long me = mynode(), others = numnodes() - 1;
  int i, round, value, seen = 0;

  for (i = 0; i < POSTS; i++) {
    ids[i] = irecv(i, &in[i], (long)sizeof in[i]);
    CHECK(ids[i] > 0);
  }
  gsync();
  for (i = me; i < POSTS; i += others + 1) {
    value = i * 7;
    csend(i, &value, (long)sizeof value, -1L, 0L);
  }
  for (i = POSTS - 1; i >= 0; i--) {
    if (i % (others + 1) == me) {
      msgcancel(ids[i]); /* one's own do not arrive */
      continue;
    }
    msgwait(ids[i]);
    CHECK(in[i] == i * 7 && infotype() == i && infonode() == i % (others + 1));
    seen++;
  }
  CHECK(_msgwait(ids[0]) == -1 && iprobe(-1L) == 0);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
