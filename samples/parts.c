/* The number pi as a sum of parts, which rank 0 adds in the order in which they come. MPI-1. */
#include <mpi.h>
#include <stdio.h>

#define STEPS 1000000

static double part(int me, int size)
{
  double sum = 0;
  int i;

  for (i = me; i < STEPS; i += size) {
    double x = (i + 0.5) / STEPS;
    sum += 4 / (1 + x * x);
  }
  return sum / STEPS;
}

int main(int argc, char **argv)
{
  int me, size, i;
  double sum, other;
  MPI_Status status;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  sum = part(me, size);
  if (me == 0) {
    for (i = 1; i < size; i++) {
      MPI_Recv(&other, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
      printf("a part of rank %d\n", status.MPI_SOURCE);
      sum += other;
    }
    printf("pi is %.10f\n", sum);
  } else
    MPI_Send(&sum, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
