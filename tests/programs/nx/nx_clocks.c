/* Clocks go forward together; hwclock writes 8 bytes, low word first. */
#include <cube.h>

#include "../common/check.h"

main()
{
  unsigned int ticks[4], later[2];
  unsigned long start;
  double seconds, passed;
  long i;

  /* The clocks that are compared enclose the one that is waited for. */
  ticks[2] = ticks[3] = 4711;
  hwclock(ticks);
  start = mclock();
  seconds = dclock();
  CHECK(ticks[2] == 4711 && ticks[3] == 4711);
  while (dclock() - seconds < 0.02) flick();
  hwclock(later);
  passed = ((later[1] - ticks[1]) * 4294967296.0 + later[0] - ticks[0]) / 1e7;
  CHECK(mclock() - start >= 19 && passed > 0.019);
  for (i = 0; i < 1000; i++) CHECK(ginv(gray(i)) == i && (i == 0 || gray(i) != gray(i - 1)));
  CHECK(gray(5L) == 7 && ginv(0x40000000L) == 0x7fffffff);
  CHECK((1 << nodedim()) <= numnodes() && numnodes() < (2 << nodedim()));
  CHECK(myhost() != mynode() && myhost() >= 0 && mypid() == 0 && myptype() == 0);
  led(1L);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
