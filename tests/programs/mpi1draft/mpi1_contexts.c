/* Communication contexts keep equal messages apart, nest, and end with their group context. */
#include "mpi1_check.h"

main()
{
  int me = MPI_GETID(ALL), other = 1 - me, list[3], inner, first, second, in = 0, out, id, i;

  first = MPI_NEWC();
  second = MPI_NEWC();
  CHECK(first == 2 && second == 3 && MPI_INFOC(0, (int *)0) == 3);
  CHECK(MPI_INFOC(2, list) == 3 && list[0] == 1 && list[1] == 2);
  FAILS(MPI_PUSHC(4), 4);
  FAILS(MPI_PUSHC(0), 4);
  CHECK(MPI_POPC() == 1 && MPI_POPC() == 1); /* the default one stays */
  /* Figure 4: an operation in one context goes on while another is used. */
  id = MPI_CRECV("nonblocking", &in, other, 5, 4);
  CHECK(MPI_PUSHC(first) == 0);
  out = 100 + me;
  MPI_CSEND("blocking", &out, other, 5, 4);
  CHECK(MPI_CRECV("blocking", &i, -1, -1, 4) == 4 && i == 100 + other);
  CHECK(MPI_STATS(id) == -1 && MPI_ERROR() == 0);
  CHECK(MPI_PUSHC(second) == 0 && MPI_PROBE(-1, -1) == -1 && MPI_POPC() == first);
  CHECK(MPI_POPC() == 1 && MPI_SYNCG(ALL) == 0);
  out = 200 + me;
  MPI_CSEND("blocking", &out, other, 5, 4);
  CHECK(MPI_WAIT(id) == 4 && in == 200 + other);
  /* A group context begins with one of its own, and POPG leaves two at once. */
  MPI_PUSHC(second);
  CHECK(MPI_PUSHG(ALL) == 2 && MPI_INFOC(1, list) == 1 && list[0] == 1);
  FAILS(MPI_PUSHC(second), 4);
  inner = MPI_NEWC();
  CHECK(inner == 2 && MPI_PUSHC(inner) == 0 && MPI_PUSHC(1) == 0);
  MPI_CSEND("blocking", &out, me, 6, 4);
  id = MPI_CRECV("nonblocking", &in, me, 7, 4);
  FAILS(MPI_POPG(), 16);
  CHECK(MPI_CANCEL(id) == 0 && MPI_POPG() == ALL);
  CHECK(MPI_POPC() == 1 && MPI_PROBE(me, 6) == -1);
  /* The same group pushed again is another context: messages left there are not seen. */
  CHECK(MPI_PUSHG(ALL) == 2 && MPI_PROBE(me, 6) == -1);
  for (i = 2; i <= 65535; i++) CHECK(MPI_NEWC() == i);
  FAILS(MPI_NEWC(), 11);
  MPI_POPG();
  for (i = 0; i < 1024; i++) CHECK(MPI_PUSHG(ALL) == 2);
  FAILS(MPI_PUSHG(ALL), 12);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
