/* For MPI programs that make mistakes: which error class each gives, and which communicator's handler
 * is called. */
#include "mpi_check.h"

static MPI_Comm handled_comm;
static int handled, handled_code;

static void listen(MPI_Comm *comm, int *code, ...)
{
  handled++;
  handled_comm = *comm;
  handled_code = *code;
}

/* Errors on `comm` come to listen(). */
static void install_handler(MPI_Comm comm)
{
  MPI_Errhandler handler;
  DOES(MPI_Errhandler_create((MPI_Handler_function *)listen, &handler));
  DOES(MPI_Errhandler_set(comm, handler));
  DOES(MPI_Errhandler_free(&handler));
}

/* MPICH hands errors of no communicator to MPI_COMM_SELF's, as MPI-4 has it, or to none. */
#ifdef NATIVE
#define HANDLED_ON(comm) 1
#else
#define HANDLED_ON(comm) (handled == 1 && handled_comm == (comm))
#endif

/* The call fails with an error of that class, and the handler of `comm` has been called. */
#define WRONG_ON(comm, call, class_wanted)                              \
  do {                                                                  \
    handled = 0;                                                          \
    FAILS(call, class_wanted);                                          \
    if (!HANDLED_ON(comm)) printf("%d calls, comm %x\n", handled, (unsigned)handled_comm); \
    CHECK(HANDLED_ON(comm));                                              \
  } while (0)
#define WRONG(call, class_wanted) WRONG_ON(MPI_COMM_WORLD, call, class_wanted)
/* SPDX-License-Identifier: BSD-3-Clause */
