/* A forked child is no part of the job; its calls fail, and its exit disturbs no process. */
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nx.h>

#include "../common/check.h"

main()
{
  long me = mynode(), x = me;
  int status;

  if (fork() == 0) _exit(_csend(1L, &x, 8L, 0L, 0L) == -1 && errno == EQNOACT ? 7 : 1);
  wait(&status);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  if (_fork() == 0) exit(8);
  wait(&status);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 8);
  csend(1L, &x, 8L, me, 0L);
  crecv(1L, &x, 8L);
  gsync();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
