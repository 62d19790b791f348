/* A program whose main function is called MPI_main. */
#include "mpi1_check.h"

MPI_main(argc, argv)
int argc;
char **argv;
{
  CHECK(argc == 1 && argv[0] && MPI_GETID(ALL) < EVERYBODY);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
