/* Properties of the file system of a file: its kind, its room in blocks of 1024 bytes,
   and that nothing is striped. */
#include <nx.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "nx_check.h"

int main()
{
  struct estatfs facts;
  struct { struct statpfs head; char rest[1024]; } stripes;
  struct pfsmntinfo *list = (struct pfsmntinfo *)&facts;
  struct statvfs system;
  char digits[64];

  CHECK(statpfs(".", &facts, (struct statpfs *)0, 0) == 0);
  CHECK(facts.f_type == MOUNT_UFS || facts.f_type == MOUNT_NFS);
  CHECK(statvfs(".", &system) == 0);
  etos(facts.f_blocks, digits);
  CHECK(strtoull(digits, (char **)0, 10)
        == (unsigned long long)system.f_blocks * system.f_frsize / 1024);
  CHECK(ecmp(facts.f_bavail, facts.f_bfree) <= 0 && ecmp(facts.f_bfree, facts.f_blocks) <= 0);
  CHECK(fstatpfs(0, &facts, &stripes.head, sizeof stripes) == 0);
  CHECK(stripes.head.p_sfactor == 1 && stripes.head.p_reclen == sizeof stripes.head);
  CHECK(getpfsinfo(&list) == 0 && list == 0);
  FAILS(_statpfs("no/such/file", &facts, &stripes.head, sizeof stripes), ENOENT);
  FAILS(_statpfs(".", (struct estatfs *)0, &stripes.head, sizeof stripes), EQPBUF);
  FAILS(_statpfs(".", &facts, &stripes.head, 3), EQLEN);
  FAILS(_fstatpfs(-1, &facts, &stripes.head, sizeof stripes), EBADF);
  FAILS(_getpfsinfo((struct pfsmntinfo **)0), EQPBUF);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
