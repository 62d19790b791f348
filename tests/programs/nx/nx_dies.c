/* Makes one mistake, of the kind its argument names, by a plain call: that is its last. */
#include <fcntl.h>
#include <string.h>

#include <nx.h>

#include "../common/check.h"

long x, y[4];

mistake(kind)
char *kind;
{
  long id;

  if (!strcmp(kind, "csend-type")) csend(-2L, &x, 8L, 0L, 0L);
  if (!strcmp(kind, "csend-length")) csend(1L, &x, -8L, 0L, 0L);
  if (!strcmp(kind, "csend-huge")) csend(1L, &x, (1L << 32) + 8, 0L, 0L);
  if (!strcmp(kind, "isend-huge")) isend(1L, &x, 5L << 32, 0L, 0L);
  if (!strcmp(kind, "crecv-huge")) crecv(1L, &x, (3L << 32) + 1);
  if (!strcmp(kind, "gcolx-huge")) y[0] = y[1] = (1L << 32) + 8, gcolx(&x, y, y);
  if (!strcmp(kind, "gdsum-huge")) gdsum((double *)y, (1L << 32) + 1, (double *)y);
  if (!strcmp(kind, "csend-buffer")) csend(1L, (char *)0, 8L, 0L, 0L);
  if (!strcmp(kind, "csend-node")) csend(1L, &x, 8L, 70000L, 0L);
  if (!strcmp(kind, "csend-pid")) csend(1L, &x, 8L, 0L, -2L);
  if (!strcmp(kind, "isend-node")) isend(1L, &x, 8L, -5L, 0L);
  if (!strcmp(kind, "crecv-type")) crecv(0x80000000, &x, 8L);
  if (!strcmp(kind, "irecv-length")) irecv(1L, &x, -1L);
  if (!strcmp(kind, "crecvx-node")) crecvx(1L, &x, 8L, -7L, -1L, y);
  if (!strcmp(kind, "irecvx-pid")) irecvx(1L, &x, 8L, 0L, -7L, y);
  if (!strcmp(kind, "cprobe-type")) cprobe(0x80000000);
  if (!strcmp(kind, "iprobex-node")) iprobex(1L, 70000L, -1L, y);
  if (!strcmp(kind, "csendrecv-type")) csendrecv(-2L, &x, 8L, 0L, 0L, 1L, y, 8L);
  if (!strcmp(kind, "isendrecv-typesel")) isendrecv(1L, &x, 8L, 0L, 0L, 0x80000000, y, 8L);
  if (!strcmp(kind, "gsendx-node")) y[0] = 70000, gsendx(1L, &x, 8L, y, 1L);
  if (!strcmp(kind, "msgwait-id")) msgwait(77L);
  if (!strcmp(kind, "msgdone-id")) msgdone(0L);
  if (!strcmp(kind, "msgcancel-id")) msgcancel(-1L);
  if (!strcmp(kind, "msgignore-id")) msgignore(77L);
  if (!strcmp(kind, "msgmerge-id")) msgmerge(77L, 78L);
  if (!strcmp(kind, "msgwait-long")) {
    csend(5L, y, 32L, mynode(), 0L);
    id = irecv(5L, &x, 8L);
    msgwait(id);
  }
  if (!strcmp(kind, "gdsum-length")) gdsum((double *)y, -1L, (double *)y);
  if (!strcmp(kind, "gopf-function")) gopf(&x, 8L, y, (long (*)())0);
  if (!strcmp(kind, "hwclock-address")) hwclock((char *)0);
  if (!strcmp(kind, "setpid-pid")) setpid(-3L);
  if (!strcmp(kind, "mypart-address")) mypart((long *)0, &x);
  if (!strcmp(kind, "cread-end")) cread(open("/dev/null", O_RDONLY), &x, 8);
}

main(argc, argv)
int argc;
char **argv;
{
  if (mynode() == numnodes() - 1) {
    mistake(argv[1]);
    printf("it went on\n");
  }
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
