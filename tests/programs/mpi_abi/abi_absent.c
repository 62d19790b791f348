/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that another header for this binary interface declares, and that are not here. */
#include "../mpi/mpi_check.h"

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request);
int MPI_Comm_attach_buffer(MPI_Comm comm, void *buffer, int size);

int main(int argc, char **argv)
{
  MPI_Request request;
  MPI_Init(&argc, &argv);
  if (!strcmp(argv[1], "barrier"))
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
  else
    MPI_Comm_attach_buffer(MPI_COMM_WORLD, &request, sizeof request);
  printf("it went on\n");
  return 0;
}
