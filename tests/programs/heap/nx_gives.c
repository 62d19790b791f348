/* Memory that NX hands to a program for good is freed by the program's own free(). */
#include <stdio.h>
#include <stdlib.h>

#include <nx.h>

int main()
{
  nx_nodes_t nodes = 0;
  unsigned long count = 0;

  if (nx_app_nodes(0, &nodes, &count) != 0 || count < 1 || !nodes || nodes[0] != 0) return 1;
  nodes = realloc(nodes, 4096);
  free(nodes);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
