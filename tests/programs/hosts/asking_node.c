/* Ends when the host has answered. */
#include <cube.h>

#include "../common/check.h"

main()
{
  long x = 100 + mynode();

  csend(1L, &x, sizeof x, myhost(), 0L);
  crecv(2L, &x, sizeof x);
  CHECK(x == 101 + mynode() && infonode() == myhost());
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
