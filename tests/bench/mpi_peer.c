/* The peers: MPICH and Open MPI. */
#include <mpi.h>

#include "peer.h"

static void peer_send(int to, char* bytes, long size) {
  MPI_Send(bytes, (int)size, MPI_BYTE, to, 7, MPI_COMM_WORLD);
}

static void peer_receive(int from, char* bytes, long size) {
  MPI_Recv(bytes, (int)size, MPI_BYTE, from, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  int rank, size, status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  status = peer_measure(rank, size, argc, argv);
  MPI_Finalize();
  return status;
}
/* SPDX-License-Identifier: BSD-3-Clause */
