/* Attributes of communicators: copied, handed over when it goes, refused. */
#include "mpi_check.h"

int copies, deletes, refuse_copy, refuse_delete;
int key, extra, values[3];

int copy(MPI_Comm comm, int keyval, void *extra_state, void *in, void *out, int *flag)
{
  CHECK(keyval == key && extra_state == (void *)&extra);
  copies++;
  *(void **)out = (char *)in + sizeof(int);
  *flag = 1;
  return refuse_copy;
}

int gone(MPI_Comm comm, int keyval, void *value, void *extra_state)
{
  CHECK(keyval == key && extra_state == (void *)&extra);
  deletes++;
  return refuse_delete;
}

predefined()
{
  int *value = 0, flag = 0;

  DOES(MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag));
  CHECK(flag && *value >= 32767);
  DOES(MPI_Attr_get(MPI_COMM_WORLD, MPI_HOST, &value, &flag));
  CHECK(flag && *value == MPI_PROC_NULL);
  DOES(MPI_Attr_get(MPI_COMM_WORLD, MPI_IO, &value, &flag));
  CHECK(flag && *value == MPI_ANY_SOURCE);
  DOES(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag));
  CHECK(flag && (*value == 0 || *value == 1));
  /* MPI-2's. */
  DOES(MPI_Attr_get(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &flag));
  CHECK(!flag || *value > 0);
  DOES(MPI_Attr_get(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag));
  CHECK(flag && *value >= MPI_ERR_LASTCODE);
  FAILS(MPI_Attr_put(MPI_COMM_WORLD, MPI_TAG_UB, value), MPI_ERR_KEYVAL);
}

main(argc, argv)
int argc;
char **argv;
{
  MPI_Comm dup, again;
  int *value, flag, none, kept, stale;

  MPI_Init(&argc, &argv);
  MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  predefined();
  DOES(MPI_Keyval_create(copy, gone, &key, &extra));
  DOES(MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &none, (void *)0));
  DOES(MPI_Comm_create_keyval(MPI_DUP_FN, MPI_NULL_DELETE_FN, &kept, (void *)0));
  DOES(MPI_Attr_get(MPI_COMM_WORLD, key, &value, &flag));
  CHECK(!flag);
  DOES(MPI_Attr_put(MPI_COMM_WORLD, key, &values[2]));
  DOES(MPI_Attr_put(MPI_COMM_WORLD, key, &values[0]));
  CHECK(deletes == 1);
  DOES(MPI_Attr_put(MPI_COMM_WORLD, none, &values[0]));
  DOES(MPI_Comm_set_attr(MPI_COMM_WORLD, kept, &values[2]));
  DOES(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
  CHECK(copies == 1);
  DOES(MPI_Attr_get(dup, key, &value, &flag));
  CHECK(flag && value == &values[1]);
  DOES(MPI_Attr_get(dup, none, &value, &flag));
  CHECK(!flag);
  DOES(MPI_Attr_get(dup, kept, &value, &flag));
  CHECK(flag && value == &values[2]);
  /* The key goes, its attributes stay. */
  stale = none;
  DOES(MPI_Keyval_free(&none));
  CHECK(none == MPI_KEYVAL_INVALID);
  DOES(MPI_Attr_get(MPI_COMM_WORLD, stale, &value, &flag));
  CHECK(flag && value == &values[0]);
  DOES(MPI_Attr_delete(MPI_COMM_WORLD, stale));
  MPICH_TAKES(FAILS(MPI_Attr_delete(MPI_COMM_WORLD, stale), MPI_ERR_KEYVAL));
  MPICH_TAKES(FAILS(MPI_Attr_get(dup, stale, &value, &flag), MPI_ERR_KEYVAL));
  FAILS(MPI_Attr_delete(dup, MPI_KEYVAL_INVALID), MPI_ERR_KEYVAL);
  refuse_copy = MPI_ERR_OTHER; /* MPICH gives what the function returns */
  FAILS(MPI_Comm_dup(MPI_COMM_WORLD, &again), MPI_ERR_OTHER);
  MPICH_DIFFERS(CHECK(again == MPI_COMM_NULL));
  CHECK(copies == 2);
  refuse_delete = MPI_ERR_OTHER;
  FAILS(MPI_Attr_delete(dup, key), MPI_ERR_OTHER);
  DOES(MPI_Attr_get(dup, key, &value, &flag));
  CHECK(flag);
  FAILS(MPI_Comm_free(&dup), MPI_ERR_OTHER);
  CHECK(dup != MPI_COMM_NULL);
  refuse_delete = 0;
  deletes = 0;
  DOES(MPI_Comm_free(&dup));
  MPICH_DIFFERS(CHECK(deletes == 1)); /* not those that one refused before */
  deletes = 0;
  DOES(MPI_Attr_delete(MPI_COMM_WORLD, key));
  CHECK(deletes == 1);
  DOES(MPI_Attr_get(MPI_COMM_WORLD, key, &value, &flag));
  CHECK(!flag);
  MPI_Finalize();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
