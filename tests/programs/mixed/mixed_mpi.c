/* The MPI half, in the place of PVM's: alone in MPI_COMM_WORLD, it asks an NX node and is answered. */
#include "../mpi/mpi_check.h"

#define NODE 2 /* 1, the size of the world, and Rank 1 */

main(argc, argv)
int argc;
char **argv;
{
  int n, value = 4700;
  MPI_Status status;

  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  CHECK(n == 1);
  DOES(MPI_Send(&value, 1, MPI_INT, NODE, 5, MPI_COMM_WORLD));
  DOES(MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &status));
  CHECK(value == 4701 && status.MPI_SOURCE == NODE);
  MPI_Finalize();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
