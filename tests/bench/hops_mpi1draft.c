/* The token between two processes of the MPI1 draft. */
#include <mpi1.h>

#include "hops.h"

static int me;

static void hop_send(int* token) { MPI_CSEND("blocking", token, 1 - me, 7, sizeof *token); }
static void hop_receive(int* token) { MPI_CRECV("blocking", token, -1, 7, sizeof *token); }

int main(int argc, char** argv) {
  me = MPI_GETID(ALL);
  return hop_measure(me, argc, argv);
}
/* SPDX-License-Identifier: BSD-3-Clause */
