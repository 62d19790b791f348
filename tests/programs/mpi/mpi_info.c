/* Info objects: the order of keys, lengths, copies and errors. */
#include "mpi_check.h"

int main(int argc, char **argv)
{
  MPI_Info info = MPI_INFO_NULL, copy;
  char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1], longer[MPI_MAX_INFO_VAL + 2];
  int flag = -1, length = -1, keys = -1;
  DOES(MPI_Init(&argc, &argv));
  DOES(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  DOES(MPI_Info_create(&info));
  CHECK(info != MPI_INFO_NULL);
  DOES(MPI_Info_get_nkeys(info, &keys));
  CHECK(keys == 0);
  DOES(MPI_Info_set(info, "no_locks", "true"));
  DOES(MPI_Info_set(info, "file", "a"));
  DOES(MPI_Info_set(info, "no_locks", "false"));
  DOES(MPI_Info_get_nkeys(info, &keys));
  CHECK(keys == 2);
  DOES(MPI_Info_get_nthkey(info, 0, key));
  CHECK(strcmp(key, "no_locks") == 0);
  DOES(MPI_Info_get_nthkey(info, 1, key));
  CHECK(strcmp(key, "file") == 0);
  DOES(MPI_Info_get(info, "no_locks", MPI_MAX_INFO_VAL, value, &flag));
  CHECK(flag && strcmp(value, "false") == 0);
  MPICH_DIFFERS(DOES(MPI_Info_get(info, "no_locks", 2, value, &flag));)
  MPICH_DIFFERS(CHECK(flag && strcmp(value, "fa") == 0);)
  DOES(MPI_Info_get(info, "absent", MPI_MAX_INFO_VAL, value, &flag));
  CHECK(!flag);
  DOES(MPI_Info_get_valuelen(info, "no_locks", &length, &flag));
  CHECK(flag && length == 5);
  length = 77;
  DOES(MPI_Info_get_valuelen(info, "absent", &length, &flag));
  CHECK(!flag && length == 77);
  DOES(MPI_Info_dup(info, &copy));
  DOES(MPI_Info_delete(info, "no_locks"));
  DOES(MPI_Info_get_nkeys(info, &keys));
  CHECK(keys == 1);
  DOES(MPI_Info_get_nkeys(copy, &keys));
  CHECK(keys == 2);

  FAILS(MPI_Info_delete(info, "no_locks"), MPI_ERR_INFO_NOKEY);
  FAILS(MPI_Info_get_nthkey(info, 1, key), MPI_ERR_ARG);
  FAILS(MPI_Info_set(info, "", "x"), MPI_ERR_INFO_KEY);
  MPICH_DIFFERS(FAILS(MPI_Info_set(info, "key", NULL), MPI_ERR_INFO_VALUE);)
  memset(longer, 'x', sizeof longer);
  longer[MPI_MAX_INFO_VAL + 1] = '\0';
  FAILS(MPI_Info_set(info, "key", longer), MPI_ERR_INFO_VALUE);
  FAILS(MPI_Info_set(info, longer, "x"), MPI_ERR_INFO_KEY);
  MPICH_DIFFERS(FAILS(MPI_Info_set(MPI_INFO_NULL, "key", "x"), MPI_ERR_INFO);)
  MPICH_DIFFERS(FAILS(MPI_Info_get_nkeys((MPI_Info)MPI_COMM_WORLD, &keys), MPI_ERR_INFO);)
  DOES(MPI_Info_free(&info));
  CHECK(info == MPI_INFO_NULL);
  DOES(MPI_Info_free(&copy));
  DOES(MPI_Finalize());
  puts("EARL-OK");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
