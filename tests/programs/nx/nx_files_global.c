/* M_GLOBAL: all do the same call, which is done once; all get its data. */
#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <nx.h>

#include "../common/check.h"

main()
{
  long me = mynode(), nodes = numnodes();
  char text[32];
  struct iovec pieces[2];
  int fd;

  CHECK(_gopen("missing", O_RDWR, M_GLOBAL, 0) == -1 && errno == ENOENT);
  CHECK(_gopen("global", O_RDWR | O_CREAT, 17, 0644) == -1 && errno == EIMODE);
  fd = gopen("global", O_RDWR | O_CREAT | O_EXCL, M_GLOBAL, 0644);
  cwrite(fd, me == 0 ? "once for all" : "anything else", 12);
  CHECK(lseek(fd, 0L, SEEK_CUR) == 12 && iseof(fd) == 1);
  lseek(fd, 5L, SEEK_SET);
  cread(fd, text, 3);
  CHECK(strncmp(text, "for", 3) == 0 && lseek(fd, 0L, SEEK_CUR) == 8);
  lseek(fd, 0L, SEEK_SET);
  pieces[0].iov_base = text, pieces[0].iov_len = 4;
  pieces[1].iov_base = text + 16, pieces[1].iov_len = 16;
  CHECK(_creadv(fd, pieces, 2) == 12);
  CHECK(strncmp(text, "once", 4) == 0 && strncmp(text + 16, " for all", 8) == 0);
  CHECK(_cread(fd, text, 1) == 0);

  if (nodes > 1)
    CHECK(_cread(fd, text, me == 0 ? 4 : 5) == -1 && errno == EMIXIO);
  close(fd);
  gsync();
  /* The failure of one is that of all. */
  fd = gopen("global", O_RDONLY, M_GLOBAL, 0);
  CHECK(_cwrite(fd, "no", 2) == -1 && errno == EBADF);
  close(fd);
  gsync();
  if (me == 0)
    unlink("global");
  setiomode(1, M_GLOBAL);
  cwrite(1, "said once\n", 10);
  setiomode(1, M_SYNC);
  gsync();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
