/* The underscore forms return -1 and say why in errno. */
#include <errno.h>

#include <nx.h>

#include "nx_check.h"

main()
{
  long nodes = numnodes(), x, y[4];

  FAILS(_csend(-2L, &x, 8L, 0L, 0L), EQTYPE);
  FAILS(_csend(1L, &x, -8L, 0L, 0L), EQLEN);
  FAILS(_csend(1L, &x, 3000000000L, 0L, 0L), EQLEN);
  FAILS(_csend(1L, (char *)0, 8L, 0L, 0L), EQPBUF);
  FAILS(_csend(1L, &x, 8L, nodes, 0L), EQNODE);
  FAILS(_csend(1L, &x, 8L, nodes + 70000, 0L), EQNODE);
  FAILS(_csend(1L, &x, 8L, -2L, 0L), EQNODE);
  FAILS(_csend(1L, &x, 8L, 0L, -2L), EQPID);
  FAILS(_isend(1L, &x, 8L, -5L, 0L), EQNODE);
  FAILS(_gsendx(1L, &x, 8L, (y[0] = 70000, y), 1L), EQNODE);
  FAILS(_gsendx(1L, &x, 8L, y, -1L), EQLEN);
  FAILS(_csendrecv(-2L, &x, 8L, 0L, 0L, 1L, y, 8L), EQTYPE);
  FAILS(_isendrecv(1L, &x, 8L, 0L, 0L, 0x80000000, y, 8L), EQTYPE);
  FAILS(_crecv(0x80000000, &x, 8L), EQTYPE);
  FAILS(_crecv(1L, (char *)0, 8L), EQPBUF);
  FAILS(_irecv(0x80000000, &x, 8L), EQTYPE);
  FAILS(_irecv(1L, &x, -1L), EQLEN);
  FAILS(_crecvx(1L, &x, 8L, -7L, -1L, y), EQNODE);
  FAILS(_irecvx(1L, &x, 8L, 0L, -7L, y), EQPID);
  FAILS(_cprobe(0x80000000), EQTYPE);
  FAILS(_iprobe(0x80000000), EQTYPE);
  FAILS(_cprobex(1L, nodes + 70000, -1L, y), EQNODE);
  FAILS(_iprobex(1L, 0L, -2L, y), EQPID);
  FAILS(_msgwait(0L), EQMID);
  FAILS(_msgdone(-1L), EQMID);
  FAILS(_msgcancel(12345L), EQMID);
  FAILS(_msgignore(1L), EQMID);
  FAILS(_msgmerge(77L, 78L), EQMID);
  FAILS(_setpid(-3L), EQPID);
  FAILS(_gcol(&x, -1L, y, 8L, &x), EQLEN);
  FAILS(_gcol(y, 16L, y, 8L, &x), EQMSGLONG);
  FAILS(_gdsum((double *)y, -1L, (double *)y), EQLEN);
  FAILS(_gisum((long *)0, 1L, y), EQPBUF);
  FAILS(_gopf(&x, 8L, y, (long (*)())0), EQPARAM);
  FAILS(_hwclock((char *)0), EQPBUF);
  CHECK(_csend(1L, &x, 0L, -1L, 0L) == 0 && _mynode() == mynode() && _dclock() > 0);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
