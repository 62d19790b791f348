/* For MPI programs that check themselves: prints the failed check, and ends. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what)                                                              \
  do {                                                                           \
    if (!(what)) {                                                               \
      int rank_here = -1;                                                        \
      MPI_Comm_rank(MPI_COMM_WORLD, &rank_here);                                 \
      printf("rank %d, %s:%d: not so: %s\n", rank_here, __FILE__, __LINE__, #what); \
      exit(1);                                                                   \
    }                                                                            \
  } while (0)

#define DOES(call) CHECK((call) == MPI_SUCCESS)

/* The call fails with an error of that class; the handler must be MPI_ERRORS_RETURN. */
#define FAILS(call, class_wanted)                                     \
  do {                                                                \
    int code_here = (call), class_here = -1;                          \
    CHECK(code_here != MPI_SUCCESS);                                  \
    CHECK(MPI_Error_class(code_here, &class_here) == MPI_SUCCESS);    \
    if (class_here != (class_wanted))                                 \
      printf("class %d instead of %d\n", class_here, (class_wanted)); \
    CHECK(class_here == (class_wanted));                              \
  } while (0)

/* Checks that MPICH 4.0.2 is spared (NATIVE: the program runs on its library), and why: it takes what is
 * wrong, it crashes, or it gives another result. */
#ifdef NATIVE
#define MPICH_TAKES(what)
#define MPICH_CRASHES(what)
#define MPICH_DIFFERS(what)
#else
#define MPICH_TAKES(what) what
#define MPICH_CRASHES(what) what
#define MPICH_DIFFERS(what) what
#endif
/* SPDX-License-Identifier: BSD-3-Clause */
