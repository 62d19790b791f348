/* A profiling library for MPI as its users write them. */
#include <mpi.h>
#include <unistd.h>

int MPI_Sendrecv(const void *out, int out_count, MPI_Datatype out_type, int dest, int out_tag,
                 void *in, int in_count, MPI_Datatype in_type, int source, int in_tag,
                 MPI_Comm comm, MPI_Status *status)
{
  write(1, LETTER, 1);
  return PMPI_Sendrecv(out, out_count, out_type, dest, out_tag, in, in_count, in_type, source,
                       in_tag, comm, status);
}

int MPI_Barrier(MPI_Comm comm)
{
  int rank;
  PMPI_Comm_rank(comm, &rank);
  write(1, LETTER, 1);
  return PMPI_Barrier(comm);
}
/* SPDX-License-Identifier: BSD-3-Clause */
