/* Forms of the file calls that give a number of bytes, an id or -1. */
#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <nx.h>

#include "nx_check.h"

/* For a call that gives a size. */
#define FAILS_EXTENDED(call, number)                   \
  do {                                                 \
    errno = 0;                                         \
    CHECK(ecmp(call, minus_one) == 0);                 \
    CHECK(errno == (number));                          \
  } while (0)

char text[40];
struct iovec pieces[2];
esize_t minus_one;

what_works(fd, name)
int fd;
char *name;
{
  struct estat facts;

  pieces[0].iov_base = "abc", pieces[0].iov_len = 3;
  pieces[1].iov_base = "defgh", pieces[1].iov_len = 5;
  CHECK(_cwritev(fd, pieces, 2) == 8 && _iseof(fd) == 1 && _iomode(fd) == M_UNIX);
  CHECK(_writeoff(fd, stoe("8"), "ij", 2) == 2 && _writevoff(fd, stoe("10"), pieces, 2) == 8);
  pieces[0].iov_base = text, pieces[1].iov_base = text + 3;
  CHECK(_readoff(fd, stoe("6"), text, 4) == 4 && strncmp(text, "ghij", 4) == 0);
  CHECK(_readvoff(fd, stoe("15"), pieces, 2) == 3 && strncmp(text, "fgh", 3) == 0);
  CHECK(_readoff(fd, stoe("18"), text, 4) == 0); /* the end is no error here */
  CHECK(ecmp(_eseek(fd, stoe("4"), SEEK_SET), stoe("4")) == 0 && _iseof(fd) == 0);

  CHECK(_iowait(_iread(fd, text, 2)) == 0 && strncmp(text, "ef", 2) == 0);
  CHECK(_iodone(_ireadv(fd, pieces, 2)) == 1 && strncmp(text, "ghijabcd", 8) == 0);
  CHECK(_iowait(_iwritev(fd, pieces, 2)) == 0);
  CHECK(_iowait(_ireadoff(fd, stoe("14"), text, 4)) == 0 && strncmp(text, "ghij", 4) == 0);
  CHECK(_iowait(_iwriteoff(fd, stoe("1"), "B", 1)) == 0);
  CHECK(_iowait(_ireadvoff(fd, stoe("0"), pieces, 2)) == 0 && strncmp(text, "aBcdefgh", 8) == 0);
  CHECK(_iowait(_iwritevoff(fd, stoe("22"), pieces, 1)) == 0);

  CHECK(_lsize(fd, 4, SIZE_SET) == 25 && _lsize(fd, 30, SIZE_SET) == 30);
  CHECK(ecmp(_esize(fd, stoe("2"), SIZE_END), stoe("32")) == 0);
  CHECK(_lestat(name, &facts) == 0 && facts.st_size.slow == 32);
  CHECK(_festat(fd, &facts) == 0 && facts.st_size.slow == 32 && facts.st_size.shigh == 0);
  CHECK(_setiomode(fd, M_ASYNC) == 0 && _iomode(fd) == M_ASYNC && _setiomode(fd, M_UNIX) == 0);
}

what_does_not(fd, name)
int fd; /* closed */
char *name;
{
  struct estat facts;
  long id;

  pieces[0].iov_len = pieces[1].iov_len = 1;
  FAILS(_creadv(fd, pieces, 2), EBADF);
  FAILS(_cwritev(fd, pieces, -1), EQPARAM);
  FAILS(_readoff(fd, stoe("0"), text, 1), EBADF);
  FAILS(_writeoff(fd, stoe("0"), (char *)0, 1), EQPBUF);
  FAILS(_readvoff(fd, stoe("0"), (struct iovec *)0, 1), EQPARAM);
  FAILS(_writevoff(fd, stoe("0"), pieces, 2), EBADF);
  FAILS(_iread(fd, text, -1), EQLEN);
  FAILS(_ireadv(fd, pieces, -1), EQPARAM);
  FAILS(_ireadoff(fd, stoe("0"), (char *)0, 1), EQPBUF);
  CHECK((id = _ireadoff(fd, stoe("0"), text, 1)) > 0);
  FAILS(_iodone(id), EBADF);
  FAILS(_iseof(fd), EBADF);
  FAILS(_lsize(fd, 1, SIZE_SET), EBADF);
  FAILS_EXTENDED(_esize(fd, stoe("1"), SIZE_SET), EBADF);
  FAILS_EXTENDED(_eseek(fd, stoe("1"), SEEK_SET), EBADF);
  FAILS(_festat(fd, &facts), EBADF);
  FAILS(_lestat(name, &facts), ENOENT);
  FAILS(_estat((char *)0, &facts), EQPBUF);
  FAILS(_lestat(name, (struct estat *)0), EQPBUF);
  FAILS(_gopen("no/such/folder", O_RDONLY, M_UNIX, 0), ENOENT);
  FAILS(_gopen(name, O_RDONLY, 9, 0), EIMODE);
}

main()
{
  char name[40];
  int fd;

  minus_one = stoe("-1");
  CHECK(ecmp(_esub(_eadd(stoe("5"), stoe("7")), stoe("13")), minus_one) == 0);
  CHECK(ecmp(_esub1(stoe("5"), 6L), minus_one) == 0 && _ecmp(minus_one, stoe("0")) == -1);
  FAILS_EXTENDED(_eadd(stoe("9223372036854775807"), stoe("1")), EQESIZE);
  FAILS_EXTENDED(_esub(stoe("-9223372036854775808"), stoe("1")), EQESIZE);
  FAILS_EXTENDED(_esub1(stoe("-9223372036854775808"), 1L), EQESIZE);

  sprintf(name, "forms.%ld", mynode());
  CHECK((fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644)) >= 0);
  what_works(fd, name);
  FAILS(_lsize(fd, 1, 7), EQPARAM);
  FAILS_EXTENDED(_eseek(fd, stoe("-1"), SEEK_SET), EINVAL);
  FAILS(_readoff(fd, minus_one, text, 1), EINVAL);
  close(fd);
  unlink(name);
  what_does_not(fd, name);
  gsync();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
