/* MPQC's way: a request says how long the data are that follow; the handler receives them. */
#include <nx.h>

#include "../common/check.h"

#define HEAD 1
#define BODY 2
#define DONE 3

long length, total, seen;
char body[50000];

head(type, count, node, pid)
long type, count, node, pid;
{
  long info[8], i;

  crecvx(BODY, body, (long)sizeof body, node, pid, info);
  CHECK(info[1] == length && info[2] == node);
  for (i = 0; i < length; i++) CHECK(body[i] == (char)(node + i));
  total += length;
  seen++;
  hrecv(HEAD, &length, 8L, head);
}

main()
{
  long me = mynode(), nodes = numnodes(), n, i, sum = 0, work;
  char out[50000];

  hrecv(HEAD, &length, 8L, head);
  gsync();
  for (n = 1; n < 50000; n *= 7) {
    for (i = 0; i < n; i++) out[i] = me + i;
    csend(HEAD, &n, 8L, (me + 1) % nodes, 0L);
    csend(BODY, out, n, (me + 1) % nodes, 0L);
    sum += n;
  }
  csend(DONE, out, 0L, (me + 1) % nodes, 0L);
  crecv(DONE, out, 0L);
  while (seen < 6) flick();
  CHECK(total == sum);
  gsync();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
