/* Run with EARL_NX_IDS=2: the third operation at once is refused before it has done anything. */
#include <errno.h>
#include <fcntl.h>

#include <nx.h>

#include "../common/check.h"

main()
{
  long me = mynode(), x = 1, y = 0, one, two;

  one = irecv(1L, &y, sizeof y);
  two = irecv(2L, &y, sizeof y);
  errno = 0;
  CHECK(_isend(3L, &x, sizeof x, me, 0L) == -1 && errno == EQNOMID);
  CHECK(_irecv(3L, &y, sizeof y) == -1 && errno == EQNOMID);
  CHECK(_iwrite(1, "refused\n", 8) == -1 && errno == EQNOMID);
  CHECK(_isendrecv(3L, &x, sizeof x, me, 0L, 4L, &y, sizeof y) == -1 && errno == EQNOMID);
  CHECK(iprobe(3L) == 0);
  msgcancel(two);
  two = isend(3L, &x, sizeof x, me, 0L);
  CHECK(_irecv(3L, &y, sizeof y) == -1 && errno == EQNOMID);
  msgwait(two);
  crecv(3L, &y, sizeof y);
  CHECK(y == 1 && iprobe(3L) == 0);
  msgcancel(one);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
