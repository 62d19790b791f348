/* STATS, WAIT and CANCEL release an ID; when INFOL, INFOS and INFOT say something. */
#include "mpi1_check.h"

main()
{
  int me = MPI_GETID(ALL), value = 11, other = 0, id, second, length;

  CHECK(MPI_INFOL() == -1 && MPI_INFOS() == -1 && MPI_INFOT() == -1 && MPI_ERROR() == 0);
  FAILS(MPI_WAIT(1), 3);
  if (me == 0) {
    MPI_CRECV("blocking", &other, 1, 1, 4);
    id = MPI_CSEND("nonblocking", &value, 1, 2, 4);
    while ((length = MPI_STATS(id)) == -1) CHECK(MPI_ERROR() == 0);
    CHECK(length == 4);
    FAILS(MPI_STATS(id), 3);
    CHECK(MPI_INFOL() == -1); /* a send was completed */
    MPI_CSEND("blocking", &value, 1, 4, 4);
  } else {
    id = MPI_CRECV("nonblocking", &other, 0, 2, 4);
    CHECK(id >= 1 && MPI_STATS(id) == -1 && MPI_ERROR() == 0); /* it has not been sent */
    second = MPI_CRECV("nonblocking", &value, 0, 3, 4);
    CHECK(second != id && MPI_CANCEL(second) == 0); /* never sent */
    FAILS(MPI_CANCEL(second), 3);
    second = MPI_CRECV("nonblocking", &value, 0, 4, 4);
    CHECK(MPI_CANCEL(second) == 0); /* now another receive gets the message */
    MPI_CSEND("blocking", &value, 0, 1, 4);
    while ((length = MPI_STATS(id)) == -1) CHECK(MPI_ERROR() == 0);
    CHECK(length == 4 && other == 11 && MPI_INFOL() == 4 && MPI_INFOS() == 0 && MPI_INFOT() == 2);
    FAILS(MPI_WAIT(id), 3);
    CHECK(MPI_INFOT() == 2);
    other = 0;
    CHECK(MPI_CRECV("blocking", &other, 0, 4, 4) == 4 && other == 11);
    id = MPI_CSEND("nonblocking", &value, 1, 5, 4); /* to itself */
    CHECK(MPI_WAIT(id) == 4 && MPI_INFOL() == -1);
    id = MPI_CRECV("nonblocking", &other, 1, 5, 4);
    CHECK(MPI_WAIT(id) == 4 && MPI_INFOS() == 1);
    FAILS(MPI_CRECV("blocking", &other, 99, 5, 4), 1);
    CHECK(MPI_PROBE(-1, -1) == -1 && MPI_INFOS() == -1);
    id = MPI_CRECV("nonblocking", &other, 1, 6, 4); /* whose message is not seen any more */
    MPI_CSEND("blocking", &value, 1, 6, 4);
    CHECK(MPI_PROBE(1, 6) == -1 && MPI_WAIT(id) == 4);
  }
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
