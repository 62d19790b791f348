/* The header of the Paragon's PFS: its modes, and stripes that no file here has. */
#include <fcntl.h>
#include <nx.h>
#include <pfs/pfs.h>
#include <sys/estat.h>
#include <sys/mount.h>
#include <unistd.h>

#include "nx_check.h"

int main()
{
  struct sattr stripes;
  struct estatfs facts;
  int file = gopen("/dev/null", O_RDWR, M_ASYNC, 0666);

  stripes.s_sunitsize = stripes.s_sfactor = stripes.s_start_sdir = 1;
  CHECK(file >= 0 && iomode(file) == M_ASYNC);
  FAILS(fcntl(file, F_GETSATTR, &stripes), EINVAL);
  FAILS(fcntl(file, F_SETSATTR, &stripes), EINVAL);
  FAILS(fcntl(file, F_PFS_SVR_BUF, 1), EINVAL);
  CHECK(stripes.s_sfactor == 1);
  CHECK(statpfs(".", &facts, (struct statpfs *)0, 0) == 0 && facts.f_type != MOUNT_PFS);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
