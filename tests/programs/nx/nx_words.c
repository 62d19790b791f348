/* nx_perror says who, what, and what errno means. */
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
