/* Reading and writing by ids: those of messages and those of files are not mixed up. */
#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <nx.h>

#include "../common/check.h"

main()
{
  char name[40], text[40];
  struct iovec piece;
  long one, two, message;
  int fd;

  sprintf(name, "async.%ld", mynode());
  CHECK((fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644)) >= 0);
  one = iwrite(fd, "abcdefgh", 8);
  piece.iov_base = "ijkl", piece.iov_len = 4;
  two = iwritev(fd, &piece, 1);
  message = irecv(7L, text, 40L);
  CHECK(one > 0 && two > 0 && message > 0 && one != two && two != message);
  CHECK(_msgwait(one) == -1 && errno == EQMID);
  CHECK(_iowait(message) == -1 && errno == EQMID);
  CHECK(_iodone(77L) == -1 && errno == EQMID);
  while (iodone(one) == 0)
    flick();
  iowait(two);
  CHECK(_iodone(one) == -1 && errno == EQMID && _iowait(two) == -1);
  msgcancel(message);

  lseek(fd, 0L, SEEK_SET);
  one = iread(fd, text, 6);
  two = iread(fd, text + 6, 40);
  iowait(two);
  iowait(one);
  CHECK(strncmp(text, "abcdefghijkl", 12) == 0 && iseof(fd) == 1);
  piece.iov_base = text, piece.iov_len = 2;
  lseek(fd, 0L, SEEK_SET);
  iowait(ireadv(fd, &piece, 1));
  CHECK(strncmp(text, "ab", 2) == 0);
  iowait(iwriteoff(fd, stoe("3"), "DEF", 3));
  iowait(ireadoff(fd, stoe("2"), text, 5));
  CHECK(strncmp(text, "cDEFg", 5) == 0);
  piece.iov_base = "X", piece.iov_len = 1;
  iowait(iwritevoff(fd, stoe("0"), &piece, 1));
  piece.iov_base = text;
  iowait(ireadvoff(fd, stoe("0"), &piece, 1));
  CHECK(text[0] == 'X');

  /* An error is reported when the program asks. */
  close(fd);
  CHECK((fd = open(name, O_RDONLY)) >= 0);
  CHECK((one = _iwrite(fd, "no", 2)) > 0);
  CHECK(_iowait(one) == -1 && errno == EBADF);
  CHECK(_iowait(one) == -1 && errno == EQMID);
  close(fd);
  unlink(name);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
