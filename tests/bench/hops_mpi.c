/* The token between two processes of MPI-1. */
#include <mpi.h>

#include "hops.h"

static int me;

static void hop_send(int* token) { MPI_Send(token, 1, MPI_INT, 1 - me, 7, MPI_COMM_WORLD); }
static void hop_receive(int* token) {
  MPI_Status status;
  MPI_Recv(token, 1, MPI_INT, 1 - me, 7, MPI_COMM_WORLD, &status);
}

int main(int argc, char** argv) {
  int measured;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  measured = hop_measure(me, argc, argv);
  MPI_Finalize();
  return measured;
}
/* SPDX-License-Identifier: BSD-3-Clause */
