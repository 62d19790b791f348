/* Forms that Fortran programs call: of lists of pieces and facts about files, by unit, and of gopf
   for programs that ask for the error. */
#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <nx.h>

#include "../common/check.h"

char text[20];
struct iovec out[2], in[2];

long larger(x, work)
long *x, *work;
{
  if (*work > *x) *x = *work;
  return 0;
}

combine()
{
  long x = mynode(), work;
  int length = sizeof x;

  CHECK(_gopf_(&x, &length, &work, larger) == 0 && x == numnodes() - 1);
  length = -1;
  errno = 0;
  CHECK(_gopf_(&x, &length, &work, larger) == -1 && errno == EQLEN);
}

pieces(unit)
int *unit;
{
  int two = 2, id;
  esize_t at;

  cwritev_(unit, out, &two);
  stoe_("5", &at, 1L);
  CHECK(writevoff_(unit, &at, out, &two) == 5);
  id = iwritev_(unit, out, &two);
  iowait_(&id);
  stoe_("15", &at, 2L);
  id = iwritevoff_(unit, &at, out, &two);
  iowait_(&id);
  CHECK(readvoff_(unit, &at, in, &two) == 5 && strncmp(text, "abcde", 5) == 0);

  memset(text, 0, sizeof text);
  id = 0, two = 0;
  CHECK(lseek_(unit, &id, &two) == 0);
  two = 2;
  creadv_(unit, in, &two);
  CHECK(strncmp(text, "abcde", 5) == 0);
  memset(text, 0, sizeof text);
  id = ireadv_(unit, in, &two);
  iowait_(&id);
  CHECK(strncmp(text, "abcde", 5) == 0);
  memset(text, 0, sizeof text);
  stoe_("16", &at, 2L);
  id = ireadvoff_(unit, &at, in, &two);
  iowait_(&id);
  CHECK(strncmp(text, "bcde", 4) == 0);
}

main()
{
  int unit = 12, mode = M_UNIX;
  char name[20];
  struct estat facts;

  combine();
  sprintf(name, "units.%03ld", mynode());
  unlink(name);
  out[0].iov_base = "ab", out[0].iov_len = 2;
  out[1].iov_base = "cde", out[1].iov_len = 3;
  in[0].iov_base = text, in[0].iov_len = 1;
  in[1].iov_base = text + 1, in[1].iov_len = 4;
  close(creat(name, 0644));
  gopen_(&unit, name, &mode, (long)strlen(name));
  pieces(&unit);
  CHECK(estat_(name, &facts, (long)strlen(name)) == 0 && facts.st_size.slow == 20);
  CHECK(festat_(&unit, &facts) == 0 && facts.st_size.slow == 20);
  unlink(name);
  gsync();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
