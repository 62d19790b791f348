/* Completing operations: one, any, all, some; planned ones; those taken back. */
#include "mpi_check.h"

#define MANY 20

int me, n;
MPI_Status status, statuses[MANY];
MPI_Request request, requests[MANY];
int indices[MANY], words[MANY];

is_empty(one)
MPI_Status *one;
{
  int count = 7, flag = 7;

  CHECK(one->MPI_SOURCE == MPI_ANY_SOURCE && one->MPI_TAG == MPI_ANY_TAG);
  CHECK(one->MPI_ERROR == MPI_SUCCESS);
  DOES(MPI_Get_count(one, MPI_INT, &count));
  DOES(MPI_Test_cancelled(one, &flag));
  CHECK(count == 0 && flag == 0);
}

/* MPICH leaves the status of such a request empty. */
is_from_proc_null(one)
MPI_Status *one;
{
  int count = 7;

  MPICH_DIFFERS(CHECK(one->MPI_SOURCE == MPI_PROC_NULL && one->MPI_TAG == MPI_ANY_TAG));
  DOES(MPI_Get_count(one, MPI_INT, &count));
  CHECK(count == 0);
}

/* Nothing is under way. */
nothing()
{
  int flag, index, count, i;

  for (i = 0; i < MANY; i++) requests[i] = MPI_REQUEST_NULL;
  request = MPI_REQUEST_NULL;
  DOES(MPI_Wait(&request, &status));
  is_empty(&status);
  flag = 0;
  DOES(MPI_Test(&request, &flag, &status));
  CHECK(flag);
  is_empty(&status);
  DOES(MPI_Waitany(MANY, requests, &index, &status));
  CHECK(index == MPI_UNDEFINED);
  is_empty(&status);
  flag = 0;
  DOES(MPI_Testany(MANY, requests, &index, &flag, &status));
  CHECK(index == MPI_UNDEFINED && flag);
  DOES(MPI_Waitall(MANY, requests, statuses));
  is_empty(&statuses[MANY - 1]);
  flag = 0;
  DOES(MPI_Testall(MANY, requests, &flag, MPI_STATUSES_IGNORE));
  CHECK(flag);
  DOES(MPI_Waitsome(MANY, requests, &count, indices, statuses));
  CHECK(count == MPI_UNDEFINED);
  DOES(MPI_Testsome(MANY, requests, &count, indices, statuses));
  CHECK(count == MPI_UNDEFINED);
  DOES(MPI_Waitall(0, requests, statuses));
}

from_proc_null()
{
  int index, i;

  for (i = 0; i < 2; i++)
    DOES(MPI_Irecv(words, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &requests[i]));
  requests[2] = MPI_REQUEST_NULL;
  DOES(MPI_Wait(&requests[0], &status));
  is_from_proc_null(&status);
  DOES(MPI_Waitany(3, requests, &index, &status));
  CHECK(index == 1);
  is_from_proc_null(&status);
  for (i = 0; i < 2; i++)
    DOES(MPI_Irecv(words, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &requests[i]));
  DOES(MPI_Waitall(2, requests, statuses));
  is_from_proc_null(&statuses[0]);
  is_from_proc_null(&statuses[1]);
  DOES(MPI_Probe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status));
  is_from_proc_null(&status);
}

send_to_all()
{
  int i, tag;

  for (i = 0; i < n; i++)
    for (tag = 0; tag < 3; tag++) {
      int word = 100 * me + tag;

      DOES(MPI_Send(&word, 1, MPI_INT, i, tag, MPI_COMM_WORLD));
    }
}

/* One receive for each process and tag, in this order. */
post_all()
{
  int i;

  for (i = 0; i < 3 * n; i++) {
    words[i] = -1;
    DOES(MPI_Irecv(&words[i], 1, MPI_INT, i / 3, i % 3, MPI_COMM_WORLD, &requests[i]));
  }
}

is_right(i, one)
int i;
MPI_Status *one;
{
  CHECK(words[i] == 100 * (i / 3) + i % 3);
  CHECK(one->MPI_SOURCE == i / 3 && one->MPI_TAG == i % 3);
}

all_kinds()
{
  int i, index, flag, count, seen;

  post_all();
  send_to_all();
  DOES(MPI_Waitall(3 * n, requests, statuses));
  for (i = 0; i < 3 * n; i++) is_right(i, &statuses[i]);

  post_all();
  send_to_all();
  for (flag = 0; !flag;) DOES(MPI_Testall(3 * n, requests, &flag, statuses));
  for (i = 0; i < 3 * n; i++) is_right(i, &statuses[i]);

  post_all();
  send_to_all();
  for (i = 0; i < 3 * n; i++) {
    DOES(MPI_Waitany(3 * n, requests, &index, &status));
    is_right(index, &status);
    CHECK(requests[index] == MPI_REQUEST_NULL);
  }

  post_all();
  send_to_all();
  for (i = 0; i < 3 * n; i += flag) {
    DOES(MPI_Testany(3 * n, requests, &index, &flag, &status));
    if (flag) is_right(index, &status);
  }

  post_all();
  send_to_all();
  for (seen = 0; seen < 3 * n; seen += count) {
    DOES(MPI_Waitsome(3 * n, requests, &count, indices, statuses));
    CHECK(count >= 1);
    for (i = 0; i < count; i++) is_right(indices[i], &statuses[i]);
  }

  post_all();
  send_to_all();
  for (seen = 0; seen < 3 * n; seen += count) {
    DOES(MPI_Testsome(3 * n, requests, &count, indices, statuses));
    for (i = 0; i < count; i++) is_right(indices[i], &statuses[i]);
  }

  post_all();
  send_to_all();
  for (i = 3 * n - 1; i >= 0; i--) {
    for (flag = 0; !flag;) DOES(MPI_Test(&requests[i], &flag, &status));
    is_right(i, &status);
  }
}

/* Planned once, done three times; the buffers are read at each start. */
planned()
{
  int round, next = (me + 1) % n, before = (me + n - 1) % n, out, in, flag;
  MPI_Request both[3];

  DOES(MPI_Send_init(&out, 1, MPI_INT, next, 9, MPI_COMM_WORLD, &both[0]));
  DOES(MPI_Recv_init(&in, 1, MPI_INT, before, 9, MPI_COMM_WORLD, &both[1]));
  DOES(MPI_Recv_init(&in, 1, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &both[2]));
  DOES(MPI_Wait(&both[0], &status));
  is_empty(&status);
  for (round = 0; round < 3; round++) {
    out = 10 * me + round;
    DOES(MPI_Startall(3, both));
    DOES(MPI_Waitall(3, both, statuses));
    CHECK(in == 10 * before + round && both[1] != MPI_REQUEST_NULL);
    CHECK(statuses[1].MPI_SOURCE == before);
    is_from_proc_null(&statuses[2]);
  }
  DOES(MPI_Start(&both[1]));
  DOES(MPI_Cancel(&both[1]));
  DOES(MPI_Wait(&both[1], &status));
  DOES(MPI_Test_cancelled(&status, &flag));
  CHECK(flag);
  for (round = 0; round < 3; round++) {
    DOES(MPI_Request_free(&both[round]));
    CHECK(both[round] == MPI_REQUEST_NULL);
  }
}

taken_back()
{
  int flag, word = 5, i;

  DOES(MPI_Irecv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 30, MPI_COMM_WORLD, &request));
  DOES(MPI_Cancel(&request));
  DOES(MPI_Wait(&request, &status));
  DOES(MPI_Test_cancelled(&status, &flag));
  CHECK(flag && word == 5 && request == MPI_REQUEST_NULL);
  DOES(MPI_Barrier(MPI_COMM_WORLD));
#ifndef NATIVE /* MPICH takes no send back: the wait has no end */
  /* It is never received. */
  DOES(MPI_Issend(&word, 1, MPI_INT, (me + 1) % n, 31, MPI_COMM_WORLD, &request));
  DOES(MPI_Cancel(&request));
  DOES(MPI_Wait(&request, &status));
  DOES(MPI_Test_cancelled(&status, &flag));
  CHECK(flag);
#endif
  DOES(MPI_Barrier(MPI_COMM_WORLD));
  DOES(MPI_Iprobe(MPI_ANY_SOURCE, 31, MPI_COMM_WORLD, &flag, &status));
  CHECK(!flag);
  for (i = 0; i < 200; i++) {
    DOES(MPI_Isend(&word, 1, MPI_INT, (me + 1) % n, 32, MPI_COMM_WORLD, &request));
    DOES(MPI_Request_free(&request));
  }
  for (i = 0; i < 200; i++)
    DOES(MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 32, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

looked_for()
{
  int word[4] = {me}, flag, count;

  DOES(MPI_Send(word, 1 + me % 3, MPI_INT, (me + 1) % n, 40, MPI_COMM_WORLD));
  DOES(MPI_Probe(MPI_ANY_SOURCE, 40, MPI_COMM_WORLD, &status));
  CHECK(status.MPI_SOURCE == (me + n - 1) % n && status.MPI_TAG == 40);
  DOES(MPI_Get_count(&status, MPI_INT, &count));
  CHECK(count == 1 + status.MPI_SOURCE % 3);
  DOES(MPI_Iprobe(status.MPI_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status));
  CHECK(flag);
  DOES(MPI_Recv(word, count, MPI_INT, status.MPI_SOURCE, 40, MPI_COMM_WORLD, &status));
  CHECK(word[0] == status.MPI_SOURCE);
}

main(argc, argv)
int argc;
char **argv;
{
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  nothing();
  from_proc_null();
  all_kinds();
  planned();
  taken_back();
  looked_for();
  MPI_Finalize();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
