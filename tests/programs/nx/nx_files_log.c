/* M_LOG: one pointer for all, first come, first served; no record is lost or torn. */
#include <fcntl.h>
#include <unistd.h>

#include <nx.h>

#include "../common/check.h"

#define EACH 20

main()
{
  long me = mynode(), nodes = numnodes(), seen[64], i, total;
  char record[32];
  esize_t at;
  int fd;

  fd = gopen("log", O_RDWR | O_CREAT | O_TRUNC, M_LOG, 0644);
  CHECK(iomode(fd) == M_LOG);
  for (i = 0; i < EACH; i++) {
    sprintf(record, "%7ld:%7ld\n", me, i);
    cwrite(fd, record, 16);
  }
  gsync();
  at = eseek(fd, stoe("0"), SEEK_CUR);
  CHECK(at.slow == nodes * EACH * 16 && iseof(fd) == 1);

  /* The records of one node, in its order. */
  for (i = 0; i < nodes; i++)
    seen[i] = 0;
  setiomode(fd, M_UNIX);
  lseek(fd, 0L, SEEK_SET);
  for (i = 0; i < nodes * EACH; i++) {
    cread(fd, record, 16);
    CHECK(record[15] == '\n' && atoi(record + 8) == seen[atoi(record)]++);
  }

  /* Each record is read once, by any node. */
  lseek(fd, 0L, SEEK_SET);
  setiomode(fd, M_LOG);
  total = 0;
  while (_cread(fd, record, 16) == 16)
    total++;
  gisum(&total, 1L, &i);
  CHECK(total == nodes * EACH);
  gsync();
  if (me == 0)
    eseek(fd, stoe("-32"), SEEK_END);
  gsync();
  at = eseek(fd, stoe("0"), SEEK_CUR);
  CHECK(at.slow == nodes * EACH * 16 - 32);
  gsync();
  close(fd);
  if (me == 0)
    unlink("log");
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
