/* Each way of sending meets each way of receiving; short messages and long ones. */
#include "mpi_check.h"

#define LONG 50000
#define CHUNK 20000

int me, n;
int data[LONG];
char room[LONG * sizeof(int) + 8 * MPI_BSEND_OVERHEAD];

fill(count, seed)
int count, seed;
{
  int i;

  for (i = 0; i < count; i++) data[i] = seed + i;
}

right(count, seed)
int count, seed;
{
  int i;

  for (i = 0; i < count; i++) CHECK(data[i] == seed + i);
}

give(way, count, tag)
int way, count, tag;
{
  MPI_Request request;

  fill(count, tag);
  switch (way) {
    case 0: DOES(MPI_Send(data, count, MPI_INT, 1, tag, MPI_COMM_WORLD)); break;
    case 1: DOES(MPI_Ssend(data, count, MPI_INT, 1, tag, MPI_COMM_WORLD)); break;
    case 2: DOES(MPI_Bsend(data, count, MPI_INT, 1, tag, MPI_COMM_WORLD)); break;
    case 3: DOES(MPI_Isend(data, count, MPI_INT, 1, tag, MPI_COMM_WORLD, &request)); break;
    case 4: DOES(MPI_Issend(data, count, MPI_INT, 1, tag, MPI_COMM_WORLD, &request)); break;
    case 5: DOES(MPI_Ibsend(data, count, MPI_INT, 1, tag, MPI_COMM_WORLD, &request)); break;
  }
  if (way >= 3) {
    DOES(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(request == MPI_REQUEST_NULL);
  }
}

take(count, tag)
int count, tag;
{
  MPI_Status status;
  MPI_Request request;
  int got;

  fill(LONG, -LONG);
  if (tag % 2) {
    DOES(MPI_Recv(data, LONG, MPI_INT, 0, tag, MPI_COMM_WORLD, &status));
  } else {
    DOES(MPI_Irecv(data, LONG, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request));
    DOES(MPI_Wait(&request, &status));
  }
  CHECK(status.MPI_SOURCE == 0 && status.MPI_TAG == tag);
  DOES(MPI_Get_count(&status, MPI_INT, &got));
  CHECK(got == count);
  right(count, tag);
}

/* The receive is there before the ready send: it says so. */
ready()
{
  MPI_Request request;
  int go = 1, i;

  for (i = 0; i < 2; i++) {
    if (me == 1) {
      DOES(MPI_Irecv(data, LONG, MPI_INT, 0, 77, MPI_COMM_WORLD, &request));
      DOES(MPI_Send(&go, 1, MPI_INT, 0, 78, MPI_COMM_WORLD));
      DOES(MPI_Wait(&request, MPI_STATUS_IGNORE));
      right(10, 77);
    } else if (me == 0) {
      DOES(MPI_Recv(&go, 1, MPI_INT, 1, 78, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      fill(10, 77);
      if (i == 0) {
        DOES(MPI_Rsend(data, 10, MPI_INT, 1, 77, MPI_COMM_WORLD));
      } else {
        DOES(MPI_Irsend(data, 10, MPI_INT, 1, 77, MPI_COMM_WORLD, &request));
        DOES(MPI_Wait(&request, MPI_STATUS_IGNORE));
      }
    }
  }
}

/* Several long messages leave the buffer in another order than they came. */
buffered()
{
  int i, size;
  void *where;

  DOES(MPI_Barrier(MPI_COMM_WORLD));
  if (me == 0) {
    for (i = 0; i < 2; i++) {
      fill(CHUNK, i);
      DOES(MPI_Bsend(data, CHUNK, MPI_INT, 1, 200 + i, MPI_COMM_WORLD));
    }
    fill(CHUNK, -1);
    DOES(MPI_Buffer_detach(&where, &size));
    CHECK(where == (void *)room && size == (int)sizeof room);
    DOES(MPI_Buffer_attach(where, size));
    DOES(MPI_Buffer_detach(&where, &size));
  } else if (me == 1) {
    for (i = 1; i >= 0; i--) {
      DOES(MPI_Recv(data, LONG, MPI_INT, 0, 200 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      right(CHUNK, i);
    }
  }
}

/* All at once: no order of sends and receives would do. */
around()
{
  MPI_Status status;
  int next = (me + 1) % n, before = (me + n - 1) % n, got, word = me, other = -1;

  DOES(MPI_Sendrecv(&word, 1, MPI_INT, next, 5, &other, 1, MPI_INT, before, 5, MPI_COMM_WORLD,
                    &status));
  CHECK(other == before && status.MPI_SOURCE == before);
  fill(LONG, me);
  DOES(MPI_Sendrecv_replace(data, LONG, MPI_INT, next, 6, before, 6, MPI_COMM_WORLD, &status));
  right(LONG, before);
  DOES(MPI_Get_count(&status, MPI_INT, &got));
  CHECK(got == LONG);
  DOES(MPI_Sendrecv(&word, 1, MPI_INT, MPI_PROC_NULL, 5, &other, 1, MPI_INT, MPI_PROC_NULL, 5,
                    MPI_COMM_WORLD, &status));
  CHECK(other == before && status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
  DOES(MPI_Get_count(&status, MPI_INT, &got));
  CHECK(got == 0);
}

main(argc, argv)
int argc;
char **argv;
{
  int way;

  MPI_Init(0, 0);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  DOES(MPI_Buffer_attach(room, sizeof room));
  for (way = 0; way < 6; way++) {
    if (me == 0) {
      give(way, 3, 2 * way);
      give(way, LONG, 2 * way + 1);
      give(way, 0, 2 * way + 20);
    } else if (me == 1) {
      take(3, 2 * way);
      take(LONG, 2 * way + 1);
      take(0, 2 * way + 20);
    }
  }
  ready();
  buffered();
  around();
  MPI_Finalize();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
