/* A message that does not fit is an error, and stays. */
#include <errno.h>
#include <string.h>

#include <nx.h>

#include "../common/check.h"

main()
{
  char text[12], small[4];
  long id, other = (mynode() + 1) % numnodes();

  csend(5L, "hello world", 12L, other, 0L);
  errno = 0;
  CHECK(_crecv(5L, small, 4L) == -1 && errno == EQMSGLONG);
  cprobe(5L);
  CHECK(infocount() == 12);
  id = irecv(5L, small, 4L);
  errno = 0;
  CHECK(_msgwait(id) == -1 && errno == EQMSGLONG);
  errno = 0;
  CHECK(_msgwait(id) == -1 && errno == EQMID);
  crecv(5L, text, 12L);
  CHECK(strcmp(text, "hello world") == 0 && infocount() == 12);

  id = irecv(6L, small, 4L); /* posted before the message is there */
  gsync();
  csend(6L, "hello world", 12L, other, 0L);
  while (_msgdone(id) == 0) flick();
  CHECK(errno == EQMSGLONG);
  crecv(6L, text, 12L);
  CHECK(strcmp(text, "hello world") == 0);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
