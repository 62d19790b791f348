/* Every error of a call: -1, its status, its words; and a success resets it. */
#include "mpi1_check.h"

#define B "blocking"

main()
{
  char text[81], *words;
  int i, n = EVERYBODY, value = 0;

  FAILS(MPI_CSEND("x", &value, 0, 1, 4), 13);
  FAILS(MPI_CRECV((char *)0, &value, 0, 1, 4), 13);
  FAILS(MPI_CSEND("", &value, 0, 1, 4), 13);
  CHECK(MPI_CSEND("BLOCKING", &value, 0, 1, 4) == 4 && MPI_ERROR() == 0);
  if (MPI_GETID(ALL) == 0)
    for (i = 0; i < n; i++) CHECK(MPI_CRECV("b", &value, i, 1, 4) == 4);
  FAILS(MPI_CSEND(B, &value, -1, 1, 4), 1);
  FAILS(MPI_CSEND(B, &value, 70000, 1, 4), 1);
  FAILS(MPI_CRECV(B, &value, -2, 1, 4), 1);
  FAILS(MPI_PROBE(70000, 1), 1);
  FAILS(MPI_CSEND(B, &value, 0, -1, 4), 15);
  FAILS(MPI_CRECV(B, &value, 0, 0x80000000, 4), 15);
  FAILS(MPI_CSEND(B, &value, 0, 1, -4), 6);
  FAILS(MPI_CSEND(B, (char *)0, 0, 1, 4), 6);
  FAILS(MPI_CRECV(B, &value, 0, 1, -1), 6);
  FAILS(MPI_SSEND(B, &value, 0, 1, 4, 0, 2), 7);
  FAILS(MPI_SRECV(B, &value, 0, 1, 4, 2, 2), 7);
  FAILS(MPI_SSEND(B, &value, 0, 1, -4, 8, 1), 8);
  FAILS(MPI_GSEND(B, 0, 1, (int *)0, (char *)0, -1), 8);
  FAILS(MPI_GRECV(B, 0, 1, (int *)0, (char *)0, 1), 6);
  FAILS(MPI_SSEND(B, &value, 0, 1, 65536, 65536, 65536), 6); /* more than an int can say */
  FAILS(MPI_WAIT(0), 3);
  FAILS(MPI_STATS(77), 3);
  FAILS(MPI_CANCEL(-1), 3);
  FAILS(MPI_PARTG(77, 0), 2);
  FAILS(MPI_INFOG(ALL, -1, &value), 6);
  FAILS(MPI_INFOC(-1, &value), 6);
  FAILS(MPI_INFOMN(-1, &value), 6);
  FAILS(MPI_DEFNG(0, &value), 1);
  words = MPI_ETEXT(6);
  CHECK(MPI_ERROR() == 1 && strstr(words, "buffer size"));
  for (i = 0; i <= 18; i++) {
    strcpy(text, words = MPI_ETEXT(i));
    CHECK(strlen(text) > 4 && strcmp(text, MPI_ETEXT(99)) != 0);
  }
  CHECK(strlen(MPI_ETEXT(99)) > 4 && strlen(MPI_ETEXT(-1)) > 4);
  CHECK(MPI_GETID(ALL) >= 0 && MPI_ERROR() == 0);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
