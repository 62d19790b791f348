/* Cube and host are the same machine: data swapped for the other stays as it is. */
#include <nx.h>

#include "../common/check.h"

#define STAYS(values, to_host, to_cube)                                             \
  do {                                                                              \
    to_host(values, 3L), to_cube(values, 3L);                                       \
    CHECK(_##to_host(values, 2L) == 0 && _##to_cube(values, 2L) == 0);              \
    CHECK(_##to_host(values, 0L) == 0 && _##to_cube(values, -1L) == 0);             \
    CHECK(values[0] == 1 && values[1] == -2 && values[2] == 770);                   \
  } while (0)

main()
{
  static double d[3] = {1, -2, 770};
  static float f[3] = {1, -2, 770};
  static long l[3] = {1, -2, 770};
  static short s[3] = {1, -2, 770};

  STAYS(d, ctohd, htocd);
  STAYS(f, ctohf, htocf);
  STAYS(l, ctohl, htocl);
  STAYS(s, ctohs, htocs);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
