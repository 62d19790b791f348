/* mpi_dies MISTAKE: rank 1 makes it, under the handler that programs begin with; rank 0 waits. */
#include "mpi_check.h"

#define IS(word) (!strcmp(argv[1], word))

main(argc, argv)
int argc;
char **argv;
{
  int me, n, word = 0, four[4] = {0, 0, 0, 0};
  MPI_Status status;
  MPI_Request request, stale;
  MPI_Comm comm;

  if (IS("early")) MPI_Comm_size(MPI_COMM_WORLD, &n);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (me == 0) {
    MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &status);
    MPI_Finalize();
    return 0;
  }
  if (IS("twice")) MPI_Init(&argc, &argv);
  if (IS("late")) {
    MPI_Finalize();
    MPI_Comm_size(MPI_COMM_WORLD, &n);
  }
  if (IS("rank")) MPI_Send(&word, 1, MPI_INT, 700000, 0, MPI_COMM_WORLD);
  if (IS("tag")) MPI_Send(&word, 1, MPI_INT, 0, -3, MPI_COMM_WORLD);
  if (IS("count")) MPI_Recv(&word, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
  if (IS("type")) MPI_Send(&word, 1, (MPI_Datatype)1234, 0, 0, MPI_COMM_WORLD);
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
