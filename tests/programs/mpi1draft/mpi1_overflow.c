/* A limit to the messages that wait for their receives: a message without room is lost. The receiver is
 * notified, by status 10 at its next call and by -1 from the next that asks for messages; the sender never
 * knows. */
#include "mpi1_check.h"

#define B "blocking"

main()
{
  char text[9000], in[9000];
  int me, i, reported;

  putenv("EARL_MPI1_BUFFER=10000");
  me = MPI_GETID(ALL);
  reported = MPI_ERROR() == 10;
  for (i = 0; i < 9000; i++) text[i] = i % 100;
  if (me == 0) {
    CHECK(MPI_CSEND(B, text, 1, 1, 4000) == 4000 && MPI_ERROR() == 0);
    CHECK(MPI_CSEND(B, text, 1, 2, 9000) == 9000); /* finds no room */
    CHECK(MPI_WAIT(MPI_CSEND("nonblocking", text, 1, 3, 4000)) == 4000);
    CHECK(MPI_CSEND(B, text, 1, 4, 4000) == 4000); /* nor does this */
    CHECK(MPI_CSEND(B, text, 1, 5, 0) == 0);
    CHECK(MPI_SYNCG(ALL) == 0);
    CHECK(MPI_CSEND("synchronized", text, 1, 6, 9000) == 9000); /* waits in no buffer */
    CHECK(MPI_CRECV(B, in, 1, 7, 9000) == 0);
    CHECK(MPI_CSEND(B, text, 1, 2, 9000) == 9000 && MPI_ERROR() == 0);
    CHECK(MPI_SYNCG(ALL) == 0);
  } else {
    CHECK(MPI_SYNCG(ALL) == 0); /* now all have come */
    reported = reported || MPI_ERROR() == 10;
    CHECK(reported);
    CHECK(MPI_GETID(ALL) == me && MPI_ERROR() == 0);
    FAILS(MPI_CRECV(B, in, 0, 2, 9000), 10);
    CHECK(MPI_PROBE(0, 2) == -1 && MPI_ERROR() == 0); /* reported once */
    CHECK(MPI_PROBE(0, 4) == -1 && MPI_PROBE(0, 5) == 0);
    CHECK(MPI_CRECV(B, in, 0, 3, 9000) == 4000 && !memcmp(in, text, 4000));
    CHECK(MPI_CRECV("synchronized", in, 0, 6, 9000) == 9000 && MPI_ERROR() == 0);
    CHECK(MPI_CRECV(B, in, 0, 1, 9000) == 4000 && MPI_CRECV(B, in, 0, 5, 9000) == 0);
    MPI_CSEND(B, in, 0, 7, 0);
    CHECK(MPI_SYNCG(ALL) == 0); /* there is room again */
    CHECK(MPI_CRECV(B, in, 0, 2, 9000) == 9000 && !memcmp(in, text, 9000));
    CHECK(MPI_PROBE(-1, -1) == -1 && MPI_ERROR() == 0);
  }
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
