/* Files with a pointer for each node (M_UNIX, M_ASYNC): reading, writing, lists of pieces, places,
 * ends and sizes. */
#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <nx.h>

#include "../common/check.h"

main()
{
  char name[40], text[40];
  struct iovec pieces[2];
  struct estat facts;
  esize_t at;
  int fd, again;
  long id;

  sprintf(name, "own.%ld", mynode());
  CHECK((fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644)) >= 0);
  CHECK(iomode(fd) == M_UNIX && iseof(fd) == 1);
  cwrite(fd, "hello, world", 12);
  CHECK(_cwrite(fd, "!", 1) == 1 && iseof(fd) == 1);
  lseek(fd, 0L, SEEK_SET);
  CHECK(iseof(fd) == 0);
  cread(fd, text, 5);
  CHECK(strncmp(text, "hello", 5) == 0);
  CHECK(_cread(fd, text, 40) == 8 && strncmp(text, ", world!", 8) == 0);
  CHECK(_cread(fd, text, 40) == 0 && iseof(fd) == 1);

  pieces[0].iov_base = "01234", pieces[0].iov_len = 5;
  pieces[1].iov_base = "56789", pieces[1].iov_len = 5;
  lseek(fd, 0L, SEEK_SET);
  cwritev(fd, pieces, 2);
  pieces[0].iov_base = text + 20, pieces[0].iov_len = 3;
  pieces[1].iov_base = text, pieces[1].iov_len = 10;
  lseek(fd, 0L, SEEK_SET);
  CHECK(_creadv(fd, pieces, 2) == 13);
  CHECK(strncmp(text + 20, "012", 3) == 0 && strncmp(text, "3456789ld!", 10) == 0);
  lseek(fd, 0L, SEEK_SET);
  creadv(fd, pieces, 2);

  at = stoe("4");
  CHECK(readoff(fd, at, text, 3) == 3 && strncmp(text, "456", 3) == 0);
  CHECK(writeoff(fd, at, "four", 4) == 4);
  CHECK(readvoff(fd, at, pieces, 2) == 9 && strncmp(text + 20, "fou", 3) == 0);
  pieces[0].iov_base = "zero", pieces[0].iov_len = 4;
  CHECK(writevoff(fd, stoe("0"), pieces, 1) == 4);
  lseek(fd, 0L, SEEK_SET);
  cread(fd, text, 13);
  CHECK(strncmp(text, "zerofour89ld!", 13) == 0);

  CHECK(lsize(fd, 5, SIZE_SET) == 13 && lsize(fd, 7, SIZE_CUR) == 20);
  at = esize(fd, stoe("10"), SIZE_END);
  CHECK(at.slow == 30 && at.shigh == 0 && iseof(fd) == 0);
  at = eseek(fd, stoe("-2"), SEEK_END);
  CHECK(at.slow == 28 && lseek(fd, 0L, SEEK_CUR) == 28);
  CHECK(estat(name, &facts) == 0 && facts.st_size.slow == 30);
  CHECK(festat(fd, &facts) == 0 && facts.st_size.slow == 30 && facts.st_mtime > 0);
  CHECK(lestat(name, &facts) == 0 && facts.st_nlink == 1);
  /* A sparse file longer than a word can hold. */
  at = esize(fd, emul(stoe("4096"), 2097152L), SIZE_SET);
  CHECK(at.slow == 0 && at.shigh == 2);
  at = eseek(fd, stoe("0"), SEEK_END);
  CHECK(ecmp(at, stoe("8589934592")) == 0 && iseof(fd) == 1);

  setiomode(fd, M_ASYNC);
  CHECK(iomode(fd) == M_ASYNC);
  CHECK(writeoff(fd, stoe("8589934592"), "far", 3) == 3);
  id = iread(fd, text, 3);
  iowait(id);
  CHECK(strncmp(text, "far", 3) == 0);
  /* The mode goes with the file, the number does not keep it. */
  close(fd);
  CHECK((again = open(name, O_RDWR)) >= 0 && iomode(again) == M_UNIX);
  close(again);
  unlink(name);
  CHECK(_cread(again, text, 1) == -1 && errno == EBADF);
  CHECK(_estat(name, &facts) == -1 && errno == ENOENT);
  CHECK(_cread(again, text, -1) == -1 && errno == EQLEN);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
