/* Any source, any type, type masks; and PROBE's results for them. */
#include "mpi1_check.h"

#define BLOCKING "blocking"

main()
{
  int me = MPI_GETID(ALL), n = EVERYBODY, i, type, value, seen = 0;

  if (me != 0) {
    value = 100 + me;
    MPI_CSEND(BLOCKING, &value, 0, me, sizeof value);
    for (type = 1; type <= 40; type += 13) MPI_CSEND(BLOCKING, &type, 0, 1000 + type, sizeof type);
    MPI_CSEND(BLOCKING, &value, 0, 50, sizeof value);
  } else {
    for (i = 1; i < n; i++) { /* every type below 30: the mask has bits 0 to 29 */
      CHECK(MPI_CRECV(BLOCKING, &value, -1, 0x80000000 | 0x3fffffff, sizeof value) == sizeof value);
      CHECK(MPI_INFOT() == value - 100 && MPI_INFOS() == value - 100);
      seen |= 1 << value - 100;
    }
    CHECK(seen == (1 << n) - 2);
    for (i = n - 1; i > 0; i--) /* one source after the other, any type: in the order they were sent */
      for (type = 1; type <= 40; type += 13) {
        CHECK(MPI_CRECV(BLOCKING, &value, i, -1, sizeof value) == sizeof value);
        CHECK(value == type && MPI_INFOT() == 1000 + type && MPI_INFOS() == i);
      }
    for (i = 1; i < n; i++) { /* a mask with bit 30: types from 30 on */
      while ((value = MPI_PROBE(i, 0xc0000000)) == -1) CHECK(MPI_ERROR() == 0);
      CHECK(value == sizeof value && MPI_INFOL() == sizeof value);
      CHECK(MPI_INFOT() == 50 && MPI_INFOS() == i);
      CHECK(MPI_PROBE(i, 51) == -1 && MPI_INFOL() == -1);
      CHECK(MPI_CRECV(BLOCKING, &value, i, 50, sizeof value) == sizeof value);
    }
    CHECK(MPI_PROBE(-1, -1) == -1);
  }
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
