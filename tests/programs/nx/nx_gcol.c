/* gcol with as many bytes as the node's number; gcolx with lengths that all know. */
#include <errno.h>
#include <string.h>

#include <nx.h>

#include "../common/check.h"

main()
{
  long me = mynode(), nodes = numnodes(), total = 0, count = -1, i, j, lengths[64];
  char mine[64], all[4096], *at = all;

  memset(mine, 'a' + (int)me, sizeof mine);
  memset(all, '-', sizeof all);
  for (i = 0; i < nodes; i++) total += lengths[i] = i;
  gcol(mine, me, all, (long)sizeof all, &count);
  CHECK(count == total && all[total] == '-');
  for (i = 0; i < nodes; i++)
    for (j = 0; j < i; j++) CHECK(*at++ == 'a' + i);

  memset(all, '-', sizeof all);
  gcolx(mine, lengths, all);
  for (at = all, i = 0; i < nodes; i++)
    for (j = 0; j < i; j++) CHECK(*at++ == 'a' + i);
  CHECK(*at == '-');

  errno = 0;
  CHECK(_gcol(mine, 2L, all, 2 * nodes - 1, &count) == -1 && errno == EQMSGLONG);
  CHECK(_gcol(mine, 2L, all, 2 * nodes, &count) == 0 && count == 2 * nodes);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
