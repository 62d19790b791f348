#include <mpi1.h>

#include "fresh.h"

int main()
{
  int i, me;

  look(0);
  me = MPI_GETID(ALL);
  for (i = 0; i < EXCHANGES; i++)
    if (me == 0) {
      MPI_CSEND("blocking", message, 1, i, BYTES);
      MPI_CRECV("blocking", message, 1, i, BYTES);
    } else {
      MPI_CRECV("blocking", message, 0, i, BYTES);
      MPI_CSEND("blocking", message, 0, i, BYTES);
    }
  look(1);
  tell();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
