/* Messages that are longer than the room for them: each call that receives cuts them and says so, short
 * ones and long ones, into dense memory and into strided memory, and writes nothing behind the room. */
#include "mpi_mistakes.h"

#define LONG 40000

int me, n, out[LONG], in[LONG], reported;
MPI_Datatype strided;
MPI_Status status, statuses[2];

static void send(int count, int tag)
{
  MPI_Request request;
  DOES(MPI_Isend(out, count, MPI_INT, me, tag, MPI_COMM_WORLD, &request));
  DOES(MPI_Request_free(&request));
}

/* `most` ints have come, of which MPICH may drop some, and the rest of the memory is as it was. */
static void cut_at(int most)
{
  int i;
  for (i = 0; i < most; i++) MPICH_DIFFERS(CHECK(in[i] == i));
  for (i = most; i < LONG; i++) CHECK(in[i] == -1);
  for (i = 0; i < LONG; i++) in[i] = -1;
}

/* Two ints of three, and `most` ints of them. */
static void cut_strided(int most)
{
  int i, place;
  for (i = place = 0; place < LONG; place++)
    if (place % 3 == 2 || i >= most) {
      CHECK(in[place] == -1);
    } else {
      MPICH_DIFFERS(CHECK(in[place] == i));
      i++;
    }
  for (i = 0; i < LONG; i++) in[i] = -1;
}

static void of(MPI_Status *one)
{
  int class = -1;
  DOES(MPI_Error_class(one->MPI_ERROR, &class));
  CHECK(class == MPI_ERR_TRUNCATE);
}

static void each(int length)
{
  MPI_Request two[2], planned;
  int index, flag, count, indices[2];
  two[0] = MPI_REQUEST_NULL;

#define TOO_LONG(call) WRONG(call, MPI_ERR_TRUNCATE); cut_at(length / 2)
  send(length, 1);
  TOO_LONG(MPI_Recv(in, length / 2, MPI_INT, me, 1, MPI_COMM_WORLD, &status));
  CHECK(status.MPI_SOURCE == me && status.MPI_TAG == 1);
  send(length, 2);
  TOO_LONG(MPI_Recv(in, length / 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
  send(length, 3);
  TOO_LONG(MPI_Sendrecv(out, 0, MPI_INT, MPI_PROC_NULL, 0, in, length / 2, MPI_INT, me, 3,
                        MPI_COMM_WORLD, &status));
  send(length, 4);
  WRONG(MPI_Sendrecv_replace(in, length / 2, MPI_INT, MPI_PROC_NULL, 0, me, 4, MPI_COMM_WORLD,
                             &status),
        MPI_ERR_TRUNCATE);
  cut_at(length / 2);

#define POSTED(tag) \
  DOES(MPI_Irecv(in, length / 2, MPI_INT, me, tag, MPI_COMM_WORLD, &two[1])); \
  send(length, tag)
  POSTED(5);
  TOO_LONG(MPI_Wait(&two[1], &status));
  CHECK(two[1] == MPI_REQUEST_NULL);
  POSTED(6);
  DOES(MPI_Probe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status));
  do {
    handled = flag = 0;
    index = MPI_Test(&two[1], &flag, &status);
  } while (index == MPI_SUCCESS && !flag);
  FAILS(index, MPI_ERR_TRUNCATE);
  cut_at(length / 2);
  POSTED(7);
  TOO_LONG(MPI_Waitany(2, two, &index, &status));
  CHECK(index == 1 && two[1] == MPI_REQUEST_NULL);
  POSTED(8);
  do {
    flag = 0;
    count = MPI_Testany(2, two, &index, &flag, &status);
  } while (count == MPI_SUCCESS && !flag);
  FAILS(count, MPI_ERR_TRUNCATE);
  CHECK(index == 1);
  cut_at(length / 2);

#define SEVERAL(call) WRONG(call, MPI_ERR_IN_STATUS); cut_at(length / 2)
  POSTED(9);
  SEVERAL(MPI_Waitall(2, two, statuses));
  of(&statuses[1]);
  MPICH_DIFFERS(CHECK(statuses[0].MPI_ERROR == MPI_SUCCESS));
  POSTED(10);
  do {
    flag = 0;
    count = MPI_Testall(2, two, &flag, statuses);
  } while (count == MPI_SUCCESS && !flag);
  FAILS(count, MPI_ERR_IN_STATUS);
  of(&statuses[1]);
  cut_at(length / 2);
  POSTED(11);
  SEVERAL(MPI_Waitsome(2, two, &count, indices, statuses));
  CHECK(count == 1 && indices[0] == 1);
  of(&statuses[0]);
  POSTED(12);
  do {
    count = 0;
    index = MPI_Testsome(2, two, &count, indices, statuses);
  } while (index == MPI_SUCCESS && count == 0);
  FAILS(index, MPI_ERR_IN_STATUS);
  CHECK(count == 1 && indices[0] == 1);
  of(&statuses[0]);
  cut_at(length / 2);

  /* Planned: it may be started again. */
  DOES(MPI_Recv_init(in, length / 2, MPI_INT, me, 13, MPI_COMM_WORLD, &planned));
  for (index = 0; index < 2; index++) {
    DOES(MPI_Start(&planned));
    send(length, 13);
    TOO_LONG(MPI_Wait(&planned, &status));
    CHECK(planned != MPI_REQUEST_NULL);
  }
  DOES(MPI_Start(&planned));
  send(length / 2, 13);
  DOES(MPI_Wait(&planned, &status));
  cut_at(length / 2);
  DOES(MPI_Request_free(&planned));

  /* In the middle of a strided layout: of a block of two, one int still has room. */
  send(length, 14);
  WRONG(MPI_Recv(in, length / 4, strided, me, 14, MPI_COMM_WORLD, &status), MPI_ERR_TRUNCATE);
  cut_strided(length / 4 * 2);
  DOES(MPI_Irecv(in, length / 4, strided, me, 15, MPI_COMM_WORLD, &two[1]));
  send(length / 4 * 2 + 1, 15);
  WRONG(MPI_Wait(&two[1], &status), MPI_ERR_TRUNCATE);
  cut_strided(length / 4 * 2);
  /* And less than there is room for. */
  send(length / 4 * 2 - 1, 16);
  DOES(MPI_Recv(in, length / 4, strided, me, 16, MPI_COMM_WORLD, &status));
  cut_strided(length / 4 * 2 - 1);
}

int main(int argc, char **argv)
{
  MPI_Datatype two;
  int i;
  DOES(MPI_Init(&argc, &argv));
  DOES(MPI_Comm_rank(MPI_COMM_WORLD, &me));
  DOES(MPI_Comm_size(MPI_COMM_WORLD, &n));
  install_handler(MPI_COMM_WORLD);
  DOES(MPI_Type_contiguous(2, MPI_INT, &two));
  DOES(MPI_Type_create_resized(two, 0, 3 * sizeof(int), &strided));
  DOES(MPI_Type_commit(&strided));
  for (i = 0; i < LONG; i++) out[i] = i, in[i] = -1;
  each(8);
  each(200);
  each(LONG);
  DOES(MPI_Type_free(&strided));
  DOES(MPI_Type_free(&two));
  DOES(MPI_Finalize());
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
