/* Functions of the program that the library calls: they call MPI themselves, fail, and change what they
 * are called for. */
#include "mpi_mistakes.h"

int me, n, key, other_key, copies, deletes, refuse, inner;
MPI_Comm dup;

/* Calls of MPI in a handler: also wrong ones, which come back to it. */
static void handler(MPI_Comm *comm, int *code, ...)
{
  MPI_Status status;
  int rank = -1, word = 5, got = 0;
  handled++;
  handled_comm = *comm;
  CHECK(MPI_Comm_rank(*comm, &rank) == MPI_SUCCESS && rank >= 0);
  if (handled > 1) return;
  DOES(MPI_Sendrecv(&word, 1, MPI_INT, rank, 77, &got, 1, MPI_INT, rank, 77, *comm, &status));
  CHECK(got == 5);
  inner = MPI_Send(&word, 1, MPI_INT, -9, 0, *comm);
  DOES(MPI_Errhandler_set(*comm, MPI_ERRORS_RETURN));
}

static void errors()
{
  MPI_Errhandler mine;
  int word = 0;
  DOES(MPI_Errhandler_create((MPI_Handler_function *)handler, &mine));
  DOES(MPI_Errhandler_set(dup, mine));
  DOES(MPI_Errhandler_free(&mine));
  handled = 0;
  FAILS(MPI_Send(&word, 1, MPI_INT, n, 0, dup), MPI_ERR_RANK);
  CHECK(handled == 2 && handled_comm == dup);
  FAILS(inner, MPI_ERR_RANK);
  /* It has put another one in its place. */
  FAILS(MPI_Send(&word, 1, MPI_INT, n, 0, dup), MPI_ERR_RANK);
  CHECK(handled == 2);
}

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
  int rank;
  copies++;
  /* The communicator is a whole one, and others may be asked for attributes. */
  CHECK(MPI_Comm_rank(comm, &rank) == MPI_SUCCESS);
  DOES(MPI_Attr_put(comm, other_key, in));
  *(void **)out = in;
  *flag = 1;
  return refuse ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int gone(MPI_Comm comm, int keyval, void *value, void *extra)
{
  void *found;
  int flag = -1;
  deletes++;
  DOES(MPI_Attr_get(comm, other_key, &found, &flag));
  if (flag) DOES(MPI_Attr_delete(comm, other_key));
  return refuse ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void attributes()
{
  MPI_Comm again = MPI_COMM_NULL;
  void *value;
  int flag;
  DOES(MPI_Keyval_create(copy, gone, &key, (void *)0));
  DOES(MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &other_key, (void *)0));
  DOES(MPI_Attr_put(dup, key, &flag));
  DOES(MPI_Comm_dup(dup, &again));
  CHECK(copies == 1);
  DOES(MPI_Attr_get(dup, other_key, &value, &flag));
  CHECK(flag && value == (void *)&flag);
  DOES(MPI_Comm_free(&again));
  CHECK(deletes == 1);
  refuse = 1;
  handled = 0;
  FAILS(MPI_Comm_dup(dup, &again), MPI_ERR_OTHER);
  CHECK(copies == 2);
  FAILS(MPI_Attr_delete(dup, key), MPI_ERR_OTHER);
  FAILS(MPI_Attr_put(dup, key, &key), MPI_ERR_OTHER);
  FAILS(MPI_Comm_free(&dup), MPI_ERR_OTHER);
  CHECK(dup != MPI_COMM_NULL);
  DOES(MPI_Attr_get(dup, key, &value, &flag));
  MPICH_DIFFERS(CHECK(flag && value == (void *)&flag));
  refuse = 0;
}

/* Local calls in an operation. */
static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
  int *one = in, *other = inout, i, size = 0, bytes = 0, flag = 0, rank = -1;
  DOES(MPI_Type_size(*type, &size));
  DOES(MPI_Pack_size(*count, *type, MPI_COMM_SELF, &bytes));
  DOES(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  DOES(MPI_Initialized(&flag));
  CHECK(size == sizeof(int) && bytes >= *count * size && flag && rank == me);
  FAILS(MPI_Type_size(MPI_DATATYPE_NULL, &size), MPI_ERR_TYPE);
  for (i = 0; i < *count; i++) other[i] += one[i];
}

static void operations()
{
  MPI_Op sum, freed;
  int mine[3] = {me, 1, 2 * me}, all[3];
  DOES(MPI_Op_create(add, 1, &sum));
  freed = sum;
  DOES(MPI_Allreduce(mine, all, 3, MPI_INT, sum, MPI_COMM_WORLD));
  CHECK(all[0] == n * (n - 1) / 2 && all[1] == n && all[2] == n * (n - 1));
  DOES(MPI_Op_free(&freed));
}

int main(int argc, char **argv)
{
  DOES(MPI_Init(&argc, &argv));
  DOES(MPI_Comm_rank(MPI_COMM_WORLD, &me));
  DOES(MPI_Comm_size(MPI_COMM_WORLD, &n));
  DOES(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  DOES(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
  errors();
  attributes();
  operations();
  DOES(MPI_Comm_free(&dup));
  DOES(MPI_Finalize());
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
