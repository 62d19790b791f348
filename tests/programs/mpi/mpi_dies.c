/* mpi_dies MISTAKE: rank 1 makes it, under the handler that programs begin with; rank 0 waits. */
#include "mpi_check.h"
#include <signal.h>

#define IS(word) (!strcmp(argv[1], word))

void abort_in_handler(MPI_Comm *comm, int *code, ...) { MPI_Abort(*comm, *code); }
void abort_in_operation(void *in, void *inout, int *length, MPI_Datatype *type)
{
  MPI_Abort(MPI_COMM_WORLD, 77);
}
int abort_in_delete(MPI_Comm comm, int key, void *value, void *extra)
{
  return MPI_Abort(MPI_COMM_WORLD, 78);
}

main(argc, argv)
int argc;
char **argv;
{
  int me, n, word = 0, four[4] = {0, 0, 0, 0}, negative[2] = {0, -7}, key;
  MPI_Status status;
  MPI_Request request, stale;
  MPI_Comm comm;
  MPI_Datatype type;
  MPI_Errhandler handler;
  MPI_Op op;
  double real = 0, sum;
  void *value;

  if (IS("early")) MPI_Comm_size(MPI_COMM_WORLD, &n);
  if (IS("early-send")) MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (IS("early-type")) MPI_Type_contiguous(2, MPI_INT, &type);
  if (IS("early-end")) MPI_Finalize();
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (IS("killed") && me == 0) MPI_Barrier(MPI_COMM_WORLD);
  if (IS("abort-operation")) {
    MPI_Op_create(abort_in_operation, 1, &op);
    MPI_Reduce(four, &word, 1, MPI_INT, op, 1, MPI_COMM_WORLD);
  }
  if (me == 0 && IS("unreceived")) {
    MPI_Finalize();
    return 0;
  }
  if (me == 0) {
    MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &status);
    MPI_Finalize();
    return 0;
  }
  if (IS("twice")) MPI_Init(&argc, &argv);
  if (!strncmp(argv[1], "late", 4) || IS("twice-ended") || IS("again")) {
    MPI_Finalize();
    if (IS("late")) MPI_Comm_size(MPI_COMM_WORLD, &n);
    if (IS("late-recv")) MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
    if (IS("late-barrier")) MPI_Barrier(MPI_COMM_WORLD);
    if (IS("late-attribute")) MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &value, &n);
    if (IS("twice-ended")) MPI_Finalize();
    if (IS("again")) MPI_Init(&argc, &argv);
  }
  if (IS("exits")) exit(3);
  if (IS("unreceived")) MPI_Ssend(&word, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
  if (IS("aborts")) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ABORT);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    if (handler != MPI_ERRORS_ABORT) printf("it went on\n");
    MPI_Send(&word, 1, MPI_INT, 700000, 0, MPI_COMM_WORLD);
  }
  if (IS("rank")) MPI_Send(&word, 1, MPI_INT, 700000, 0, MPI_COMM_WORLD);
  if (IS("tag")) MPI_Send(&word, 1, MPI_INT, 0, -3, MPI_COMM_WORLD);
  if (IS("count")) MPI_Recv(&word, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
  if (IS("sendtag"))
    MPI_Sendrecv(&word, 1, MPI_INT, 0, -3, four, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
  if (IS("recvcount"))
    MPI_Sendrecv(&word, 1, MPI_INT, 0, 0, four, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
  if (IS("recvtype"))
    MPI_Sendrecv(&word, 1, MPI_INT, 0, 0, four, 1, (MPI_Datatype)1234, 0, 0, MPI_COMM_WORLD,
                 &status);
  if (IS("sendbuf")) MPI_Gather((void *)0, 1, MPI_INT, four, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (IS("sendcounts"))
    MPI_Alltoallv(four, negative, four, MPI_INT, four, four, four, MPI_INT, MPI_COMM_WORLD);
  if (IS("rdispls"))
    MPI_Alltoallv(four, four, four, MPI_INT, four, four, (int *)0, MPI_INT, MPI_COMM_WORLD);
  if (IS("buffer")) MPI_Bcast((void *)0, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (IS("type")) MPI_Send(&word, 1, (MPI_Datatype)1234, 0, 0, MPI_COMM_WORLD);
  if (IS("operation"))
    MPI_Allreduce(&real, &sum, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD);
  if (IS("operation-null"))
    MPI_Allreduce(&real, &sum, 1, MPI_DOUBLE, MPI_OP_NULL, MPI_COMM_WORLD);
  type = MPI_INT;
  op = MPI_SUM;
  if (IS("free-type")) MPI_Type_free(&type);
  if (IS("free-operation")) MPI_Op_free(&op);
  if (IS("uncommitted")) {
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_set_name(type, "p\033ir");
    MPI_Send(four, 1, type, 0, 0, MPI_COMM_WORLD);
  }
  if (IS("comm")) MPI_Barrier((MPI_Comm)MPI_INT);
  if (IS("freed")) {
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_name(comm, "mine");
    request = comm;
    MPI_Comm_free(&comm);
    MPI_Comm_size((MPI_Comm)request, &n);
  }
  if (IS("named")) {
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_name(comm, "mine");
    MPI_Send(&word, 1, MPI_INT, 5, 0, comm);
  }
  if (IS("stale")) {
    MPI_Irecv(&word, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    stale = request;
    MPI_Wait(&request, &status);
    MPI_Wait(&stale, &status);
  }
  if (IS("long")) {
    MPI_Send(four, 4, MPI_INT, 1, 7, MPI_COMM_WORLD);
    MPI_Recv(&word, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &status);
  }
  if (IS("room")) MPI_Bsend(four, 4, MPI_INT, 0, 7, MPI_COMM_WORLD);
  if (IS("empty")) {
    MPI_Buffer_attach(four, 15);
    MPI_Bsend(four, 4, MPI_INT, 0, 7, MPI_COMM_WORLD);
  }
  if (IS("killed")) raise(SIGKILL);
  if (IS("abort-last")) MPI_Abort(MPI_COMM_WORLD, 255);
  if (IS("abort-null")) MPI_Abort(MPI_COMM_NULL, 7);
  if (IS("abort-comm")) {
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_name(comm, "mine");
    MPI_Abort(comm, 9);
  }
  if (IS("abort-handler")) {
    MPI_Errhandler_create((MPI_Handler_function *)abort_in_handler, &handler);
    MPI_Errhandler_set(MPI_COMM_WORLD, handler);
    MPI_Send(&word, 1, MPI_INT, -5, 0, MPI_COMM_WORLD);
  }
  if (IS("abort-delete")) {
    MPI_Keyval_create(MPI_NULL_COPY_FN, (MPI_Delete_function *)abort_in_delete, &key, (void *)0);
    MPI_Attr_put(MPI_COMM_WORLD, key, &key);
    MPI_Attr_delete(MPI_COMM_WORLD, key);
  }
  if (IS("abort")) MPI_Abort(MPI_COMM_WORLD, 42);
  if (IS("abort-self")) MPI_Abort(MPI_COMM_SELF, 0);
  if (IS("abort-high")) MPI_Abort(MPI_COMM_WORLD, 256);
  if (IS("abort-negative")) MPI_Abort(MPI_COMM_WORLD, -1);
  if (IS("noise")) {
    MPI_Send(&word, 1, MPI_INT, 0, 99, MPI_COMM_WORLD);
    MPI_Finalize();
    return 33;
  }
  if (me == 1) printf("it went on\n");
  MPI_Finalize();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
