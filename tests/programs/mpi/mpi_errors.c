/* Wrong arguments and their effects: a class each, through the communicator's handler. */
#include "mpi_check.h"

int me, n, handled, handled_code, words[4];
MPI_Comm handled_comm;

/* Not listen(): MPICH would call that for sockets. */
void on_error(MPI_Comm *comm, int *code, ...)
{
  handled++;
  handled_comm = *comm;
  handled_code = *code;
}

arguments()
{
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  int flag;

  FAILS(MPI_Send(words, -1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
  FAILS(MPI_Send(words, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
  FAILS(MPI_Send(words, 1, MPI_INT, n, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
  FAILS(MPI_Send(words, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
  FAILS(MPI_Send(words, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD), MPI_ERR_TAG);
  FAILS(MPI_Send(words, 1, MPI_INT, MPI_PROC_NULL, -5, MPI_COMM_WORLD), MPI_ERR_TAG);
  FAILS(MPI_Send(words, 1, MPI_INT, 0, 0, MPI_COMM_NULL), MPI_ERR_COMM);
  FAILS(MPI_Send(words, 1, MPI_INT, 0, 0, (MPI_Comm)MPI_INT), MPI_ERR_COMM);
  FAILS(MPI_Send(0, 1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  DOES(MPI_Send(0, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
  FAILS(MPI_Recv(words, 1, MPI_INT, -7, 0, MPI_COMM_WORLD, &status), MPI_ERR_RANK);
  FAILS(MPI_Recv(words, 1, MPI_INT, 0, -3, MPI_COMM_WORLD, &status), MPI_ERR_TAG);
  FAILS(MPI_Isend(words, 1, MPI_INT, n, 0, MPI_COMM_WORLD, &request), MPI_ERR_RANK);
  FAILS(MPI_Irecv(words, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, (MPI_Request *)0), MPI_ERR_ARG);
  FAILS(MPI_Probe(n, 0, MPI_COMM_WORLD, &status), MPI_ERR_RANK);
  FAILS(MPI_Iprobe(0, -3, MPI_COMM_WORLD, &flag, &status), MPI_ERR_TAG);
  FAILS(MPI_Bcast(words, 1, MPI_INT, n, MPI_COMM_WORLD), MPI_ERR_ROOT);
  FAILS(MPI_Comm_size(MPI_COMM_WORLD, (int *)0), MPI_ERR_ARG);
  FAILS(MPI_Init(0, 0), MPI_ERR_OTHER);
}

requests()
{
  MPI_Request request = MPI_REQUEST_NULL, stale, planned;
  MPI_Status status;

  FAILS(MPI_Start(&request), MPI_ERR_REQUEST);
  FAILS(MPI_Cancel(&request), MPI_ERR_REQUEST);
  FAILS(MPI_Request_free(&request), MPI_ERR_REQUEST);
  FAILS(MPI_Waitall(-1, &request, MPI_STATUSES_IGNORE), MPI_ERR_COUNT);
  DOES(MPI_Irecv(words, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request));
  FAILS(MPI_Start(&request), MPI_ERR_REQUEST);
  stale = request;
  DOES(MPI_Wait(&request, &status));
  MPICH_TAKES(FAILS(MPI_Wait(&stale, &status), MPI_ERR_REQUEST));
  request = (MPI_Request)MPI_COMM_WORLD;
  FAILS(MPI_Wait(&request, &status), MPI_ERR_REQUEST);
  DOES(MPI_Recv_init(words, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &planned));
  FAILS(MPI_Cancel(&planned), MPI_ERR_REQUEST);
  DOES(MPI_Start(&planned));
  MPICH_TAKES(FAILS(MPI_Start(&planned), MPI_ERR_REQUEST)); /* there is nothing to wait for */
  DOES(MPI_Wait(&planned, &status));
  DOES(MPI_Request_free(&planned));
}

/* The longer message is cut in every call that receives. */
too_long()
{
  MPI_Request both[2];
  MPI_Status statuses[2];
  int four[4] = {1, 2, 3, 4}, one[2], count, flag, i, index;

  for (i = 0; i < 8; i++) DOES(MPI_Bsend(four, 4, MPI_INT, me, 60 + i, MPI_COMM_WORLD));
  one[1] = 77;
  FAILS(MPI_Recv(one, 1, MPI_INT, me, 60, MPI_COMM_WORLD, statuses), MPI_ERR_TRUNCATE);
  MPICH_DIFFERS(CHECK(one[0] == 1));
  CHECK(one[1] == 77 && statuses[0].MPI_TAG == 60);
  DOES(MPI_Irecv(one, 1, MPI_INT, me, 61, MPI_COMM_WORLD, both));
  FAILS(MPI_Wait(both, statuses), MPI_ERR_TRUNCATE);
  CHECK(both[0] == MPI_REQUEST_NULL);
  DOES(MPI_Irecv(one, 1, MPI_INT, me, 62, MPI_COMM_WORLD, both));
  FAILS(MPI_Test(both, &flag, statuses), MPI_ERR_TRUNCATE);
  DOES(MPI_Irecv(one, 1, MPI_INT, me, 63, MPI_COMM_WORLD, both));
  FAILS(MPI_Waitany(1, both, &index, statuses), MPI_ERR_TRUNCATE);
  CHECK(index == 0);
  both[0] = MPI_REQUEST_NULL;
  DOES(MPI_Irecv(one, 1, MPI_INT, me, 64, MPI_COMM_WORLD, &both[1]));
  FAILS(MPI_Waitall(2, both, statuses), MPI_ERR_IN_STATUS);
  MPICH_DIFFERS(CHECK(statuses[0].MPI_ERROR == MPI_SUCCESS));
  MPI_Error_class(statuses[1].MPI_ERROR, &i);
  CHECK(i == MPI_ERR_TRUNCATE);
  DOES(MPI_Irecv(one, 1, MPI_INT, me, 65, MPI_COMM_WORLD, both));
  FAILS(MPI_Waitsome(1, both, &count, &index, statuses), MPI_ERR_IN_STATUS);
  CHECK(count == 1 && index == 0);
  FAILS(MPI_Sendrecv(four, 1, MPI_INT, MPI_PROC_NULL, 0, one, 1, MPI_INT, me, 66, MPI_COMM_WORLD,
                     statuses),
        MPI_ERR_TRUNCATE);
  DOES(MPI_Recv(four, 4, MPI_INT, me, 67, MPI_COMM_WORLD, statuses));
  DOES(MPI_Get_count(statuses, MPI_DOUBLE, &count));
  CHECK(count == 2);
  DOES(MPI_Send(four, 3, MPI_CHAR, me, 68, MPI_COMM_WORLD));
  DOES(MPI_Recv(four, 4, MPI_INT, me, 68, MPI_COMM_WORLD, statuses));
  DOES(MPI_Get_count(statuses, MPI_INT, &count));
  CHECK(count == MPI_UNDEFINED);
}

/* Buffers of Bsend: none, one byte short, exactly the size of the data. */
buffers()
{
  static char data[20000], room[20000];
  void *where;
  int size;

  FAILS(MPI_Bsend(data, 1, MPI_CHAR, me, 70, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  MPICH_TAKES(FAILS(MPI_Buffer_detach(&where, &size), MPI_ERR_BUFFER));
  FAILS(MPI_Buffer_attach(room, -1), MPI_ERR_ARG);
  DOES(MPI_Buffer_attach(room, sizeof room));
  FAILS(MPI_Buffer_attach(room, sizeof room), MPI_ERR_BUFFER);
#ifndef NATIVE /* MPICH wants MPI_BSEND_OVERHEAD besides, as the standard allows */
  DOES(MPI_Bsend(data, sizeof data, MPI_CHAR, me, 70, MPI_COMM_WORLD));
  DOES(MPI_Recv(data, sizeof data, MPI_CHAR, me, 70, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
#endif
  DOES(MPI_Buffer_detach(&where, &size));
  CHECK(where == (void *)room && size == (int)sizeof room);
  DOES(MPI_Buffer_attach(room, sizeof room - 1));
  FAILS(MPI_Bsend(data, sizeof data, MPI_CHAR, me, 70, MPI_COMM_WORLD), MPI_ERR_BUFFER);
}

handlers()
{
  MPI_Errhandler mine, current, again;
  char text[MPI_MAX_ERROR_STRING];
  int length, class;

  DOES(MPI_Errhandler_create((MPI_Handler_function *)on_error, &mine));
  DOES(MPI_Errhandler_set(MPI_COMM_SELF, mine));
  DOES(MPI_Errhandler_get(MPI_COMM_SELF, &current));
  CHECK(current == mine);
  DOES(MPI_Errhandler_free(&current));
  CHECK(current == MPI_ERRHANDLER_NULL);
  DOES(MPI_Errhandler_free(&mine));
  CHECK(mine == MPI_ERRHANDLER_NULL);
  handled = 0;
  FAILS(MPI_Send(words, 1, MPI_INT, 1, 0, MPI_COMM_SELF), MPI_ERR_RANK);
  CHECK(handled == 1 && handled_comm == MPI_COMM_SELF);
  MPI_Error_class(handled_code, &class);
  CHECK(class == MPI_ERR_RANK);
  DOES(MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER));
  CHECK(handled == 2 && handled_code == MPI_ERR_OTHER);
  DOES(MPI_Errhandler_get(MPI_COMM_SELF, &again));
  CHECK(again != MPI_ERRHANDLER_NULL);
  DOES(MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_RETURN));
  FAILS(MPI_Send(words, 1, MPI_INT, 1, 0, MPI_COMM_SELF), MPI_ERR_RANK);
  CHECK(handled == 2);
  DOES(MPI_Errhandler_free(&again));
  FAILS(MPI_Errhandler_free(&again), MPI_ERR_ARG);
  FAILS(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRHANDLER_NULL), MPI_ERR_ARG);
  DOES(MPI_Error_string(MPI_ERR_RANK, text, &length));
  CHECK(length == (int)strlen(text) && length > 0);
  DOES(MPI_Error_string(123456, text, &length));
  DOES(MPI_Error_class(-77, &class));
  CHECK(class != MPI_SUCCESS);
}

main(argc, argv)
int argc;
char **argv;
{
  static char room[4096];
  void *where;
  int size;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  arguments();
  requests();
  DOES(MPI_Buffer_attach(room, sizeof room));
  too_long();
  DOES(MPI_Buffer_detach(&where, &size));
  buffers();
  handlers();
  MPI_Finalize();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
