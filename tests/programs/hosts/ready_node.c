/* Sends its host a message, and waits for a message that never comes. */
#include <cube.h>

main()
{
  long x = mynode();

  csend(3L, &x, sizeof x, myhost(), 0L);
  crecv(1L, &x, sizeof x);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
