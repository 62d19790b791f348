/* Force types match exactly; -1 and masks do not match them. Nor does -1 match global operations. */
#include <cube.h>

#include "../common/check.h"

main()
{
  long other = (mynode() + 1) % numnodes(), id, x, sum = 1, work, all[8], length;

  x = 1, csend(FORCE_TYPE + 1L, &x, 8L, other, 0L);
  x = 2, csend(1L, &x, 8L, other, 0L);
  crecv(-1L, &x, 8L);
  CHECK(x == 2 && infotype() == 1);
  id = irecv(-1L, &x, 8L);
  gsync();
  gisum(&sum, 1L, &work);
  gcol(&sum, 8L, all, 64L, &length);
  CHECK(sum == numnodes() && length == 8 * sum && all[0] == sum);
  CHECK(msgdone(id) == 0 && iprobe(-1L) == 0 && iprobe(0xffffffff) == 0 && iprobe(0xc0000000) == 0);
  msgcancel(id);
  CHECK(iprobe(FORCE_TYPE + 1L) == 1 && infotype() == 0x40000001);
  crecv(0x40000001L, &x, 8L);
  CHECK(x == 1);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
