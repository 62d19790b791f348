/* An MPI profiling library: counts the sends of a process. NAME is this library's in its report. */
#include <mpi.h>
#include <stdio.h>

#ifndef NAME
#define NAME "sends"
#endif

static int sends;

int MPI_Send(const void *data, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
  sends++;
  return PMPI_Send(data, count, type, dest, tag, comm);
}

int MPI_Finalize(void)
{
  int me;

  PMPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (sends != 0) printf("%s: rank %d sent %d\n", NAME, me, sends);
  return PMPI_Finalize();
}
/* SPDX-License-Identifier: BSD-3-Clause */
