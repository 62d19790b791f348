/* A program linked with the draft's library that also has a routine of MPI-1's. */
#include <mpi1.h>
#include <stdio.h>

MPI_Init() { return 0; }

main()
{
  printf("it ran\n");
  return MPI_GETID(ALL);
}
/* SPDX-License-Identifier: BSD-3-Clause */
