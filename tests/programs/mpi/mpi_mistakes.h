/* For MPI programs that make mistakes: which error class each gives, and which communicator's handler
 * is called. */
#include "mpi_check.h"

static MPI_Comm heard_comm;
static int heard, heard_code;

static void listen(MPI_Comm *comm, int *code, ...)
{
  heard++;
  heard_comm = *comm;
  heard_code = *code;
}

/* Errors on `comm` come to listen(). */
static void hear(MPI_Comm comm)
{
  MPI_Errhandler handler;
  DOES(MPI_Errhandler_create((MPI_Handler_function *)listen, &handler));
  DOES(MPI_Errhandler_set(comm, handler));
  DOES(MPI_Errhandler_free(&handler));
}

/* MPICH hands errors of no communicator to MPI_COMM_SELF's, as MPI-4 has it, or to none. */
#ifdef NATIVE
#define HEARD_ON(comm) 1
#else
#define HEARD_ON(comm) (heard == 1 && heard_comm == (comm))
#endif

/* The call fails with an error of that class, and the handler of `comm` has heard of it. */
#define WRONG_ON(comm, call, class_wanted)                              \
  do {                                                                  \
    heard = 0;                                                          \
    FAILS(call, class_wanted);                                          \
    if (!HEARD_ON(comm)) printf("%d calls, comm %x\n", heard, (unsigned)heard_comm); \
    CHECK(HEARD_ON(comm));                                              \
  } while (0)
#define WRONG(call, class_wanted) WRONG_ON(MPI_COMM_WORLD, call, class_wanted)
