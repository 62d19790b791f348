/* The messages of a PVM program's mistakes: the native library's lines, in its order, also those of the
   calls that a call is made of. With an argument PvmAutoErr is set to that first. */
#include "pvm_check.h"

#include <sys/time.h>

extern int pvm_errno;

int main(argc, argv)
int argc;
char** argv;
{
  static char group[] = "group";
  int value = 1, kid = 0;

  pvm_mytid();
  if (argc > 1) pvm_setopt(PvmAutoErr, atoi(argv[1]));
  /* The native library prints nothing for mistakes with groups, and so does not end a program. */
  CHECK(pvm_barrier(group, 1) == PvmNoGroup && pvm_joingroup("") == PvmNullGroup);
  CHECK(pvm_errno == PvmNullGroup && pvm_getopt(PvmAutoErr) == (argc > 1 ? atoi(argv[1]) : 1));
  /* Values are no mistakes. */
  pvm_errno = 0;
  CHECK(pvm_setopt(PvmTraceCode, -5) == 0 && pvm_getopt(PvmTraceCode) == -5);
  CHECK(pvm_setopt(PvmTraceCode, 0) == -5);
  /* Nor does it for the three calls about messages in messages. */
  CHECK(pvm_pkmesg(0) == PvmBadParam && pvm_pkmesgbody(99) == PvmNoSuchBuf);
  CHECK(pvm_upkmesg() == PvmNoBuf && pvm_errno == 0);
  printf("it went on\n");
  fflush(stdout);
  CHECK(pvm_kill(-1) == PvmBadParam);
  CHECK(pvm_psend(pvm_mytid(), -1, (char*)&value, 1, PVM_INT) == PvmBadParam);
  CHECK(pvm_psend(pvm_mytid(), 1, (char*)&value, -1, PVM_INT) == PvmOk);
  CHECK(pvm_packf("%+", 7) == PvmBadParam);
  CHECK(pvm_packf("%u", 7) == PvmNoBuf && pvm_unpackf("%u", &value) == PvmNoBuf);
  CHECK(pvm_mcast(&value, -1, -1) == PvmNoBuf);
  CHECK(pvm_hostsync(0x80000, (struct timeval*)0, (struct timeval*)0) == PvmNoHost);
  CHECK(pvm_spawn(argv[0], (char**)0, PvmTaskHost, ".:/no/where", 1, &kid) == 0);
  CHECK(kid == PvmNoFile);
  CHECK(pvm_reduce(PvmSum, &value, 1, PVM_INT, 1, group, 0) == PvmNoGroup);
  CHECK(lpvmerr("odd", -99) == -99 && pvm_perror((char*)0) == PvmOk);
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
