/* A hundred thousand receives and ten thousand sends that are cancelled while their messages are on the way: each
 * message is received once, or its send is taken back. */
#include "mpi_check.h"

#define RECEIVES 100000
#define SENDS 10000
#define AHEAD 64

static int me;

static int is_cancelled(MPI_Request *request)
{
  int flag;
  MPI_Status status;
  DOES(MPI_Cancel(request));
  DOES(MPI_Wait(request, &status));
  DOES(MPI_Test_cancelled(&status, &flag));
  return flag;
}

/* Rank 1 is ahead by some messages at most. */
static void cancelled_receives(void)
{
  int i, got, token = 0;
  MPI_Request request;
  for (i = 0; i < RECEIVES; i++) {
    if (me == 1) {
      DOES(MPI_Send(&i, 1, MPI_INT, 0, 1, MPI_COMM_WORLD));
      if (i % AHEAD == 0) DOES(MPI_Recv(&token, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      continue;
    }
    got = -1;
    DOES(MPI_Irecv(&got, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request));
    if (is_cancelled(&request)) {
      CHECK(got == -1);
      DOES(MPI_Recv(&got, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    CHECK(got == i);
    if (i % AHEAD == 0) DOES(MPI_Send(&token, 1, MPI_INT, 1, 2, MPI_COMM_WORLD));
  }
}

/* The receiver has posted a receive or not when the cancel arrives. Tags differ, or the receive could take the next. */
static void cancelled_sends(void)
{
  int i, flag, got;
  MPI_Request request;
  for (i = 0; i < SENDS; i++) {
    if (me == 0) {
      DOES(MPI_Issend(&i, 1, MPI_INT, 1, 10 + i, MPI_COMM_WORLD, &request));
      flag = is_cancelled(&request);
      DOES(MPI_Send(&flag, 1, MPI_INT, 1, 4, MPI_COMM_WORLD));
      continue;
    }
    got = -1;
    DOES(MPI_Irecv(&got, 1, MPI_INT, 0, 10 + i, MPI_COMM_WORLD, &request));
    DOES(MPI_Recv(&flag, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    if (flag) {
      CHECK(is_cancelled(&request));
      CHECK(got == -1);
    } else {
      DOES(MPI_Wait(&request, MPI_STATUS_IGNORE));
      CHECK(got == i);
    }
  }
}

int main(int argc, char **argv)
{
  DOES(MPI_Init(&argc, &argv));
  DOES(MPI_Comm_rank(MPI_COMM_WORLD, &me));
  cancelled_receives();
  cancelled_sends();
  DOES(MPI_Finalize());
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
