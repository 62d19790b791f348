/* For programs of the MPI1 draft that check themselves: prints the failed check, and ends. */
#include <mpi1.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what)                                                                        \
  do {                                                                                     \
    int status_then = MPI_ERROR();                                                         \
    if (!(what)) {                                                                         \
      printf("process %d, %s:%d: not so: %s (status before: %d)\n", MPI_GETID(ALL), __FILE__, \
             __LINE__, #what, status_then);                                                \
      exit(1);                                                                             \
    }                                                                                      \
  } while (0)

/* The call fails with that status. */
#define FAILS(call, status)          \
  do {                               \
    CHECK((call) == -1);             \
    CHECK(MPI_ERROR() == (status));  \
  } while (0)

/* How many processes there are. */
#define EVERYBODY MPI_INFOG(ALL, 0, (int *)0)
/* SPDX-License-Identifier: BSD-3-Clause */
