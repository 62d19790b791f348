/* Packing and unpacking, there and back, and their errors. */
#include "mpi1_check.h"

main()
{
  char from[16], packed[16], into[16], *places[2];
  int lengths[2];

  memcpy(from, "ab..cd..ef......", 16);
  CHECK(MPI_SPACK(from, 2, 4, 3, packed) == 6 && !memcmp(packed, "abcdef", 6));
  memset(into, '.', 16);
  CHECK(MPI_SUNPACK(into, 2, 4, 3, packed) == 6 && !memcmp(into, from, 16));
  places[0] = from + 4, lengths[0] = 4;
  places[1] = from, lengths[1] = 1;
  CHECK(MPI_GPACK(lengths, places, 2, packed) == 5 && !memcmp(packed, "cd..a", 5));
  places[0] = into + 10, places[1] = into;
  CHECK(MPI_GUNPACK(lengths, places, 2, "wxyz!") == 5);
  CHECK(!memcmp(into, "!b..cd..efwxyz..", 16));
  CHECK(MPI_SPACK(from, 2, 0, 1, packed) == 2 && MPI_SPACK(from, 4, 4, 0, packed) == 0);
  FAILS(MPI_SPACK(from, 2, 0, 2, packed), 7);
  FAILS(MPI_SUNPACK(into, 2, -4, 2, packed), 7);
  FAILS(MPI_SUNPACK(into, 4, 2, 2, packed), 7); /* they overlap */
  FAILS(MPI_SPACK(from, -1, 4, 2, packed), 8);
  FAILS(MPI_SPACK(from, 1, 4, -2, packed), 8);
  lengths[1] = -1;
  FAILS(MPI_GPACK(lengths, places, 2, packed), 8);
  FAILS(MPI_GUNPACK(lengths, places, -1, packed), 8);
  FAILS(MPI_SPACK(from, 1, 4, 2, (char *)0), 6);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
