/* msgmerge: one id for several operations; the merged ids are gone. */
#include <errno.h>

#include <nx.h>

#include "../common/check.h"

main()
{
  long other = (mynode() + 1) % numnodes(), in[4], all = -1, old, i, x;
  char small[4];

  for (i = 0; i < 4; i++) {
    in[i] = -1;
    all = msgmerge(all, irecv(10 + i, &in[i], 8L)); /* -1: nothing yet */
  }
  CHECK(msgdone(all) == 0);
  gsync();
  for (i = 3; i >= 1; i--) csend(10 + i, &i, 8L, other, 0L);
  csend(20L, &i, 8L, other, 0L);
  crecv(20L, &x, 8L);
  CHECK(msgdone(all) == 0); /* three of four */
  gsync();
  csend(10L, &i, 8L, other, 0L);
  while (!msgdone(all)) flick();
  for (i = 0; i < 4; i++) CHECK(in[i] == i);
  errno = 0;
  CHECK(_msgdone(all) == -1 && errno == EQMID);

  x = 7; /* sends and receives in one */
  old = irecv(30L, &in[0], 8L);
  all = msgmerge(isend(30L, &x, 8L, other, 0L), old);
  msgwait(all);
  CHECK(in[0] == 7 && infotype() == 30);
  all = msgmerge(irecv(31L, &in[0], 8L), irecv(32L, &in[1], 8L));
  msgcancel(all);
  gsync();
  csend(31L, &x, 8L, other, 0L);
  crecv(31L, &in[2], 8L);
  CHECK(in[2] == 7 && in[0] == 7);
  all = msgmerge(irecv(33L, &in[0], 8L), irecv(34L, &in[1], 8L));
  msgignore(all);
  gsync();
  for (i = 33; i <= 35; i++) csend(i, &i, 8L, other, 0L);
  crecv(35L, &x, 8L);
  CHECK(in[0] == 33 && in[1] == 34);

  all = msgmerge(irecv(36L, small, 4L), irecv(37L, &in[1], 8L)); /* one fails, both are over */
  csend(36L, &x, 8L, other, 0L);
  csend(37L, &x, 8L, other, 0L);
  errno = 0;
  CHECK(_msgwait(all) == -1 && errno == EQMSGLONG && in[1] == 35);
  crecv(36L, &x, 8L);
  old = irecv(38L, &x, 8L);
  errno = 0;
  CHECK(_msgmerge(old, 99L) == -1 && errno == EQMID);
  CHECK(_msgmerge(old, old) == -1 && _msgmerge(-1L, -1L) == -1);
  CHECK(_msgdone(old) == 0); /* untouched */
  msgcancel(old);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
