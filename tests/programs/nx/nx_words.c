/* nx_perror prints the node, the text, and the meaning of errno. */
#include <errno.h>

#include <nx.h>

#include "../common/check.h"

main()
{
  errno = EQMSGLONG;
  nx_perror("crecv");
  errno = ENOENT;
  nx_perror("opening");
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
