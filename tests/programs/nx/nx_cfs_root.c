/* Paths of the machines' file systems, with the directory that replaces them here in front. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <nx.h>

#include "../common/check.h"

main()
{
  long me = mynode(), x = 0;
  int fd;

  setenv("EARL_CFS_ROOT", ".", 1);
  if (me == 0) {
    CHECK(mkdir("cfs", 0755) == 0 && mkdir("pfs", 0755) == 0);
  }
  gsync();
  fd = gopen("/cfs/data", O_RDWR | O_CREAT | O_EXCL, M_RECORD, 0644);
  cwrite(fd, &me, sizeof me);
  close(fd);
  CHECK(_gopen("/pfs/data", O_RDONLY, M_UNIX, 0) == -1 && errno == ENOENT);
  fd = gopen("/pfs/data", O_RDWR | O_CREAT, M_UNIX, 0644);
  close(fd);
  gsync();

  CHECK((fd = open("cfs/data", O_RDONLY)) >= 0); /* open is the C library's */
  CHECK(readoff(fd, emul(stoe("8"), me), &x, 8) == 8 && x == me);
  close(fd);
  fd = gopen("cfs/data", O_RDONLY, M_UNIX, 0); /* only whole paths begin so */
  close(fd);
  gsync();
  if (me == 0)
    CHECK(unlink("cfs/data") + unlink("pfs/data") + rmdir("cfs") + rmdir("pfs") == 0);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
