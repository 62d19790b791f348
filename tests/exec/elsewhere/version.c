/* Prints the version of its library. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
  int version = 0, subversion = 0, size = 0;
  MPI_Init(&argc, &argv);
  MPI_Get_version(&version, &subversion);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  printf("%d.%d of %d\n", version, subversion, size);
  return MPI_Finalize();
}
/* SPDX-License-Identifier: BSD-3-Clause */
