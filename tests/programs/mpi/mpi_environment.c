/* Inquiries of a program about its environment, and their times. */
#include "mpi_check.h"

main(argc, argv)
int argc;
char **argv;
{
  static char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length, flag = 7, provided = -1, level = -1;
  char *memory = 0;
  MPI_Comm parent = MPI_COMM_WORLD;

  DOES(MPI_Finalized(&flag));
  CHECK(flag == 0);
  DOES(MPI_Get_library_version(text, &length));
  MPICH_DIFFERS(CHECK(length == (int)strlen(text) && strstr(text, "Earl")));
  DOES(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
  MPICH_DIFFERS(CHECK(provided == MPI_THREAD_FUNNELED));
  DOES(MPI_Comm_get_parent(&parent));
  CHECK(parent == MPI_COMM_NULL);
  DOES(MPI_Query_thread(&level));
  CHECK(level == provided);
  DOES(MPI_Is_thread_main(&flag));
  CHECK(flag == 1);
  DOES(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  DOES(MPI_Alloc_mem(1000, MPI_INFO_NULL, &memory));
  CHECK(memory);
  memset(memory, 1, 1000);
  DOES(MPI_Free_mem(memory));
  FAILS(MPI_Alloc_mem(-1, MPI_INFO_NULL, &memory), MPI_ERR_ARG);
  FAILS(MPI_Get_processor_name((char *)0, &length), MPI_ERR_ARG);
  DOES(MPI_Finalize());
  DOES(MPI_Initialized(&flag));
  CHECK(flag == 1);
  DOES(MPI_Finalized(&flag));
  CHECK(flag == 1);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
