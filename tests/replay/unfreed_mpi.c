/* Rank 1 keeps three requests and a datatype; comments name the lines that a report must name. */
#include <mpi.h>

int main(int argc, char **argv)
{
  int me, i, words[3];
  MPI_Request request[3];
  MPI_Datatype type;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  for (i = 0; i < 3; i++)
    MPI_Irecv(&words[i], 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &request[i]); /* kept requests */
  if (me == 0) MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
  MPI_Type_contiguous(2, MPI_INT, &type); /* kept type */
  if (me == 0) MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
