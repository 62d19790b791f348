/* Ends at a message, with a code of its own. */
#include <cube.h>

main()
{
  long x;

  crecv(1L, &x, sizeof x);
  return 10 + mynode();
}
/* SPDX-License-Identifier: BSD-3-Clause */
