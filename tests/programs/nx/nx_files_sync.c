/* M_SYNC: one pointer for all, in the order of nodes, for any lengths. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <nx.h>

#include "../common/check.h"

main()
{
  long me = mynode(), nodes = numnodes(), i, node, length, total;
  char text[64], back[64];
  int fd;

  fd = gopen("sync", O_RDWR | O_CREAT | O_TRUNC, M_SYNC, 0644);
  for (i = 0; i < 3; i++) {
    for (length = 0; length <= me; length++)
      text[length] = 'a' + me;
    text[length++] = '0' + i;
    cwrite(fd, text, length);
  }
  total = 3 * (nodes * (nodes + 1) / 2 + nodes);
  CHECK(lseek(fd, 0L, SEEK_CUR) == total && iseof(fd) == 1);

  /* All move the pointer; each reads its own part again, and the last ones meet the end. */
  lseek(fd, 0L, SEEK_SET);
  for (i = 0; i < 3; i++) {
    cread(fd, back, me + 2);
    CHECK(back[0] == 'a' + me && back[me] == 'a' + me && back[me + 1] == '0' + i);
  }
  CHECK(_cread(fd, back, 10) == 0);
  iowait(iwrite(fd, "end", me == 0 ? 3 : 0));
  CHECK(lseek(fd, 0L, SEEK_CUR) == total + 3);

  /* One after the other through a plain pointer it is the same file. */
  setiomode(fd, M_UNIX);
  lseek(fd, 0L, SEEK_SET);
  for (i = 0; i < 3; i++)
    for (node = 0; node < nodes; node++) {
      cread(fd, back, node + 2);
      CHECK(back[0] == 'a' + node && back[node + 1] == '0' + i);
    }
  gsync();

  /* Mismatched calls are reported, on all nodes. */
  if (nodes > 1) {
    lseek(fd, me, SEEK_SET);
    CHECK(_setiomode(fd, M_SYNC) == -1 && errno == ENFPS);
    lseek(fd, 0L, SEEK_SET);
    CHECK(_setiomode(fd, me == 0 ? M_LOG : M_SYNC) == -1 && errno == ESETIO);
    setiomode(fd, M_SYNC);
    lseek(fd, me, SEEK_SET);
    CHECK(_cread(fd, back, 1) == -1 && errno == ENFPS);
    lseek(fd, 0L, SEEK_SET);
    CHECK((me == 0 ? _cread(fd, back, 1) : _cwrite(fd, back, 1)) == -1 && errno == EMIXIO);
  }
  CHECK(_setiomode(fd, 6) == -1 && errno == EIMODE);
  close(fd);
  gsync();
  if (me == 0)
    unlink("sync");
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
