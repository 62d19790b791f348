/* A longer message is cut and says so; a shorter one leaves the rest alone; none is one too. */
#include "mpi1_check.h"

main()
{
  char out[100], in[100];
  int me = MPI_GETID(ALL), i;

  for (i = 0; i < 100; i++) out[i] = i + 1;
  memset(in, 0, sizeof in);
  if (me == 0) {
    MPI_CSEND("blocking", out, 1, 1, 100);
    MPI_CSEND("blocking", out, 1, 2, 100);
    MPI_CSEND("blocking", out, 1, 3, 10);
    MPI_CSEND("blocking", (char *)0, 1, 4, 0);
  } else {
    CHECK(MPI_CRECV("blocking", in, 0, 1, 40) == 100 && MPI_ERROR() == 0);
    CHECK(in[39] == 40 && in[40] == 0 && MPI_INFOL() == 100);
    i = MPI_CRECV("nonblocking", in, 0, 2, 50);
    CHECK(MPI_WAIT(i) == 100 && in[49] == 50 && in[50] == 0 && MPI_INFOL() == 100);
    memset(in, 0, sizeof in);
    CHECK(MPI_CRECV("blocking", in, 0, 3, 100) == 10 && in[9] == 10 && in[10] == 0);
    CHECK(MPI_CRECV("blocking", (char *)0, 0, 4, 0) == 0 && MPI_INFOL() == 0 && MPI_INFOT() == 4);
  }
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
