/* A synchronized send returns when its receiver has the data; PROBE does not see it; and a
 * mismatch of modes: it gives the data, and status 14 at the receiver, and at the synchronized sender. */
#include "mpi1_check.h"

main(argc, argv)
int argc;
char **argv;
{
  static char blocks[16000];
  int me = MPI_GETID(ALL), strict = argc > 1, value = 0, id;

  if (me == 0) {
    value = 1;
    if (!strict) {
      CHECK(MPI_CSEND("synchronized", &value, 1, 1, 4) == 4 && MPI_ERROR() == 0);
      /* Its receiver had sent this before it received. */
      CHECK(MPI_PROBE(1, 9) == 4 && MPI_CRECV("blocking", &id, 1, 9, 4) == 4);
      FAILS(MPI_CSEND("synchronized", &value, 0, 1, 4), 1); /* to itself: it would wait for ever */
    }
    CHECK(MPI_CSEND("synchronized", &value, 1, 2, 4) == (strict ? -1 : 4) && MPI_ERROR() == 14);
    CHECK(MPI_CSEND("blocking", &value, 1, 3, 4) == 4 && MPI_ERROR() == 0); /* it cannot know */
    CHECK(MPI_CSEND("synchronized", &value, 1, 4, 4) == (strict ? -1 : 4) && MPI_ERROR() == 14);
    CHECK(MPI_SSEND("synchronized", blocks, 1, 5, 4000, 8000, 2) == (strict ? -1 : 8000));
    CHECK(MPI_ERROR() == 14);
    CHECK(MPI_CSEND("synchronized", &value, 1, 6, 4) == 4 && MPI_ERROR() == 0);
  } else {
    if (!strict) {
      MPI_CSEND("blocking", &me, 0, 9, 4);
      CHECK(MPI_PROBE(0, 1) == -1);
      CHECK(MPI_CRECV("synchronized", &value, 0, 1, 4) == 4 && MPI_ERROR() == 0);
    }
    CHECK(MPI_CRECV("blocking", &value, 0, 2, 4) == (strict ? -1 : 4));
    CHECK(MPI_ERROR() == 14 && MPI_ERROR() == 14 && value == 1 && MPI_INFOT() == 2);
    CHECK(MPI_ERROR() == 0); /* INFOT went well */
    CHECK(MPI_CRECV("synchronized", &value, 0, 3, 4) == (strict ? -1 : 4) && MPI_ERROR() == 14);
    id = MPI_CRECV("nonblocking", &value, 0, 4, 4);
    CHECK(MPI_ERROR() == 0);
    CHECK(MPI_WAIT(id) == (strict ? -1 : 4) && MPI_ERROR() == 14);
    CHECK(MPI_CRECV("blocking", blocks, 0, 5, 16000) == (strict ? -1 : 8000) && MPI_ERROR() == 14);
    CHECK(MPI_CRECV("synchronized", &value, 0, 6, 4) == 4 && MPI_ERROR() == 0);
  }
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
