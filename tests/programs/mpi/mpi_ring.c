/* A token goes round, in the types of C; then a reduction over all. */
#include "mpi_check.h"

int me, n;

pass(buf, count, type, tag)
void *buf;
int count, tag;
MPI_Datatype type;
{
  MPI_Status status;
  int got, before = (me + n - 1) % n;

  if (me == 0) DOES(MPI_Send(buf, count, type, (me + 1) % n, tag, MPI_COMM_WORLD));
  DOES(MPI_Recv(buf, count + 3, type, before, tag, MPI_COMM_WORLD, &status));
  CHECK(status.MPI_SOURCE == before && status.MPI_TAG == tag);
  DOES(MPI_Get_count(&status, type, &got));
  CHECK(got == count);
  if (me != 0) DOES(MPI_Send(buf, count, type, (me + 1) % n, tag, MPI_COMM_WORLD));
}

collectives()
{
  int root, sum, from[3], into[3];
  double most, mine = me;

  for (root = 0; root < n; root++) {
    int word = me == root ? 100 + root : -1;

    DOES(MPI_Bcast(&word, 1, MPI_INT, root, MPI_COMM_WORLD));
    CHECK(word == 100 + root);
    from[0] = me, from[1] = 1, from[2] = -me;
    into[0] = into[1] = into[2] = 77;
    DOES(MPI_Reduce(from, into, 3, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD));
    sum = n * (n - 1) / 2;
    CHECK(me == root ? into[0] == sum && into[1] == n && into[2] == -sum : into[0] == 77);
    DOES(MPI_Barrier(MPI_COMM_WORLD));
  }
  DOES(MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
  CHECK(most == n - 1);
}

main(argc, argv)
int argc;
char **argv;
{
  int flag = 7, version, subversion, length;
  char name[MPI_MAX_PROCESSOR_NAME];
  char chars[8] = "token";
  int ints[5] = {1, 2, 3};
  double doubles[6] = {0.5, 1.5, 2.5}, before;

  DOES(MPI_Get_version(&version, &subversion));
  /* The header may be MPICH's. */
  CHECK(version == 1 ? subversion == 3 : version == MPI_VERSION && subversion == MPI_SUBVERSION);
  DOES(MPI_Initialized(&flag));
  CHECK(flag == 0);
  DOES(MPI_Init(&argc, &argv));
  DOES(MPI_Initialized(&flag));
  CHECK(flag == 1);
  before = MPI_Wtime();
  DOES(MPI_Comm_rank(MPI_COMM_WORLD, &me));
  DOES(MPI_Comm_size(MPI_COMM_WORLD, &n));
  CHECK(me >= 0 && me < n);
  DOES(MPI_Get_processor_name(name, &length));
  CHECK(length > 0 && (int)strlen(name) == length);
  pass(chars, 5, MPI_CHAR, 0);
  pass(ints, 2, MPI_INT, 1);
  pass(doubles, 3, MPI_DOUBLE, 32767);
  pass(ints, 0, MPI_LONG, 5);
  CHECK(!strcmp(chars, "token") && ints[1] == 2 && doubles[2] == 2.5);
  collectives();
  DOES(MPI_Send(ints, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
  CHECK(MPI_Wtime() >= before && MPI_Wtick() > 0);
  DOES(MPI_Pcontrol(0));
  DOES(MPI_Finalize());
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
