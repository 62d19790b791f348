/* Waits for ever on a communicator that has a name; with `freed` on one without a name, where an
 * earlier one that is freed had one. Argument: receive, barrier or freed. */
#include <mpi.h>
#include <string.h>

int main(int argc, char** argv) {
  char const* const how = argc > 1 ? argv[1] : "";
  MPI_Comm rows;
  int me, value;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_dup(MPI_COMM_WORLD, &rows);
  MPI_Comm_set_name(rows, "ro\tws");
  if (strcmp(how, "freed") == 0) {
    MPI_Comm_free(&rows);
    MPI_Comm_dup(MPI_COMM_WORLD, &rows);
  }
  if (strcmp(how, "barrier") != 0)
    MPI_Recv(&value, 1, MPI_INT, 1 - me, 5, rows, MPI_STATUS_IGNORE);
  else if (me == 0)
    MPI_Barrier(rows);
  else
    MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
