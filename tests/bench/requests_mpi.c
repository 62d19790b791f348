/* The cost of requests of MPI: messages to oneself, 64 at a time, all of which are waited for. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

enum { many = 64 };

int main(int argc, char** argv) {
  long const times = argc > 1 ? atol(argv[1]) : 0;
  static long out[many], in[many];
  static MPI_Request requests[2 * many];
  static MPI_Status statuses[2 * many];
  double begin;
  long done;
  int me, i;
  bench_pin(0);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  begin = bench_worked();
  for (done = 0; done < times; done += many) {
    for (i = 0; i < many; i++)
      MPI_Irecv(&in[i], sizeof *in, MPI_BYTE, me, i, MPI_COMM_WORLD, &requests[i]);
    for (i = 0; i < many; i++)
      MPI_Isend(&out[i], sizeof *out, MPI_BYTE, me, i, MPI_COMM_WORLD, &requests[many + i]);
    MPI_Waitall(2 * many, requests, statuses);
  }
  printf("pair %.2f\n", (bench_worked() - begin) / (double)(times > 0 ? times : 1));
  MPI_Finalize();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
