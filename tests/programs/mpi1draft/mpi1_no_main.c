/* Nothing to begin with: neither main() nor MPI_main(). */
#include <mpi1.h>

int nothing() { return MPI_GETID(ALL); }
