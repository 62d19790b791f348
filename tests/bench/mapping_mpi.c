/* The cost of a call through MPI: mapping_nx.c with its calls. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

int main(int argc, char** argv) {
  long const times = argc > 1 ? atol(argv[1]) : 0;
  char bytes[8] = {0};
  MPI_Status status;
  double begin;
  long i;
  int me;
  bench_pin(0);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  begin = bench_worked();
  for (i = 0; i < times; i++) {
    MPI_Send(bytes, sizeof bytes, MPI_BYTE, me, 7, MPI_COMM_WORLD);
    MPI_Recv(bytes, sizeof bytes, MPI_BYTE, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
  }
  printf("pair %.2f\n", (bench_worked() - begin) / (double)(times > 0 ? times : 1));
  MPI_Finalize();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
