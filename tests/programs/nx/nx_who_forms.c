/* Forms with an underscore of calls that cannot fail on a node: the same as without. */
#include <nx.h>

#include "../common/check.h"

main()
{
  long me = mynode(), nodes = numnodes(), before = (me + nodes - 1) % nodes, old, x = 5;
  unsigned long start = mclock(), now;

  CHECK(_mynode() == me && _numnodes() == nodes && _myhost() == myhost() && _myhost() == nodes);
  CHECK(_nodedim() == nodedim() && _mypid() == 0 && _myptype() == 0 && _mydirect() == me);
  CHECK(_setptype(2L) == 0 && _mypid() == 2 && _myptype() == 2 && _setptype(0L) == 0);
  CHECK(_gray(6L) == 5 && _ginv(5L) == 6 && _led(1L) == 0 && _led(0L) == 0 && _flick() == 0);
  now = _mclock();
  CHECK(now - start < 600000 && _dclock() > 0);
  CHECK(_infotype() == -1 && _infocount() == -1 && _infonode() == -1 && _infopid() == -1);
  CHECK(_infoptype() == -1);

  csend(17L, &x, 3L, (me + 1) % nodes, 0L);
  crecv(17L, &x, 8L);
  CHECK(_infotype() == 17 && _infocount() == 3 && _infonode() == before && _infopid() == 0);
  CHECK(_infoptype() == 0);

  /* The state it was in, not how often it was asked. */
  old = _masktrap(1L);
  CHECK(old == 0 && _masktrap(1L) == 1 && _masktrap(0L) == 1 && masktrap(0L) == 0);
  /* No host's system log, and no server of a cube, is anywhere. */
  newserver("mine"), setsyslog(1L), killsyslog();
  CHECK(_newserver("mine") == 0 && _setsyslog(2L) == 0 && _killsyslog() == 0);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
