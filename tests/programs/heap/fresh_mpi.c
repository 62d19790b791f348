#include <mpi.h>

#include "fresh.h"

int main()
{
  int i, me;
  MPI_Status status;

  look(0);
  MPI_Init(0, 0);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  for (i = 0; i < EXCHANGES; i++)
    if (me == 0) {
      MPI_Send(message, BYTES, MPI_BYTE, 1, i, MPI_COMM_WORLD);
      MPI_Recv(message, BYTES, MPI_BYTE, 1, i, MPI_COMM_WORLD, &status);
    } else {
      MPI_Recv(message, BYTES, MPI_BYTE, 0, i, MPI_COMM_WORLD, &status);
      MPI_Send(message, BYTES, MPI_BYTE, 0, i, MPI_COMM_WORLD);
    }
  look(1);
  MPI_Finalize();
  tell();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
