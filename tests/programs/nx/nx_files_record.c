/* M_RECORD: records of one length in the order of nodes; no node waits for another. */
#include <fcntl.h>
#include <unistd.h>

#include <nx.h>

#include "../common/check.h"

main()
{
  long me = mynode(), nodes = numnodes(), record[2], i;
  int fd;

  fd = gopen("record", O_RDWR | O_CREAT | O_TRUNC, M_RECORD, 0644);
  CHECK(iomode(fd) == M_RECORD);
  for (i = 0; i < 5; i++) {
    record[0] = me, record[1] = i;
    cwrite(fd, record, sizeof record);
  }
  CHECK(lseek(fd, 0L, SEEK_CUR) == 5 * nodes * sizeof record);
  gsync();

  lseek(fd, 0L, SEEK_SET);
  for (i = 0; i < 5; i++) {
    record[0] = record[1] = -1;
    iowait(iread(fd, record, sizeof record));
    CHECK(record[0] == me && record[1] == i);
  }
  CHECK(_cread(fd, record, sizeof record) == 0);

  setiomode(fd, M_UNIX);
  lseek(fd, 0L, SEEK_SET);
  for (i = 0; i < 5 * nodes; i++) {
    cread(fd, record, sizeof record);
    CHECK(record[0] == i % nodes && record[1] == i / nodes);
  }
  gsync();
  close(fd);
  if (me == 0)
    unlink("record");
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
