/* SPDX-License-Identifier: BSD-3-Clause */
/* Beginning, ending, errors, clocks. */
#include "fortran.h"

ROUTINE(init, INIT, (Int *ierror))
{
  announce();
  *ierror = MPI_Init(NULL, NULL);
}

ROUTINE(init_thread, INIT_THREAD, (In *required, Int *provided, Int *ierror))
{
  announce();
  *ierror = MPI_Init_thread(NULL, NULL, *required, provided);
}

ROUTINE(query_thread, QUERY_THREAD, (Int *provided, Int *ierror))
{
  *ierror = MPI_Query_thread(provided);
}

ROUTINE(is_thread_main, IS_THREAD_MAIN, (Logical *flag, Int *ierror))
{
  int main_thread = 0;
  *ierror = MPI_Is_thread_main(&main_thread);
  *flag = logical_of(main_thread);
}

ROUTINE(initialized, INITIALIZED, (Logical *flag, Int *ierror))
{
  int begun = 0;
  *ierror = MPI_Initialized(&begun);
  *flag = logical_of(begun);
}

ROUTINE(finalize, FINALIZE, (Int *ierror)) { *ierror = MPI_Finalize(); }

ROUTINE(finalized, FINALIZED, (Logical *flag, Int *ierror))
{
  int ended = 0;
  *ierror = MPI_Finalized(&ended);
  *flag = logical_of(ended);
}

ROUTINE(comm_get_parent, COMM_GET_PARENT, (Int *parent, Int *ierror))
{
  *ierror = MPI_Comm_get_parent(parent);
}

ROUTINE(abort, ABORT, (In *comm, In *code, Int *ierror)) { *ierror = MPI_Abort(*comm, *code); }

ROUTINE(get_version, GET_VERSION, (Int *version, Int *subversion, Int *ierror))
{
  *ierror = MPI_Get_version(version, subversion);
}

ROUTINE(get_library_version, GET_LIBRARY_VERSION,
        (char *version, Int *length, Int *ierror, size_t size))
{
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int ignored = 0;
  *ierror = MPI_Get_library_version(text, &ignored);
  if (*ierror == MPI_SUCCESS)
    *length = put_text(version, size, text);
}

ROUTINE(get_processor_name, GET_PROCESSOR_NAME,
        (char *name, Int *length, Int *ierror, size_t size))
{
  char text[MPI_MAX_PROCESSOR_NAME] = "";
  int ignored = 0;
  *ierror = MPI_Get_processor_name(text, &ignored);
  if (*ierror == MPI_SUCCESS)
    *length = put_text(name, size, text);
}

/* Functions, without an error code. */
double pmpi_wtime_(void);
OTHER_NAMES(double, wtime, WTIME, (void))
double pmpi_wtime_(void) { return MPI_Wtime(); }

double pmpi_wtick_(void);
OTHER_NAMES(double, wtick, WTICK, (void))
double pmpi_wtick_(void) { return MPI_Wtick(); }

ROUTINE(alloc_mem, ALLOC_MEM, (MPI_Aint const *size, In *info, void *base, Int *ierror))
{
  *ierror = MPI_Alloc_mem(*size, *info, base);
}

ROUTINE(free_mem, FREE_MEM, (void *base, Int *ierror)) { *ierror = MPI_Free_mem(base); }

/* No error code either. */
ROUTINE(pcontrol, PCONTROL, (In *level)) { MPI_Pcontrol(*level); }

/* SUBROUTINE HANDLER(COMM, CODE) is called as C's are. */
ROUTINE(errhandler_create, ERRHANDLER_CREATE,
        (MPI_Handler_function *function, Int *handler, Int *ierror))
{
  *ierror = MPI_Errhandler_create(function, handler);
}

ROUTINE(errhandler_set, ERRHANDLER_SET, (In *comm, In *handler, Int *ierror))
{
  *ierror = MPI_Errhandler_set(*comm, *handler);
}

ROUTINE(errhandler_get, ERRHANDLER_GET, (In *comm, Int *handler, Int *ierror))
{
  *ierror = MPI_Errhandler_get(*comm, handler);
}

ROUTINE(errhandler_free, ERRHANDLER_FREE, (Int *handler, Int *ierror))
{
  *ierror = MPI_Errhandler_free(handler);
}

ROUTINE(comm_create_errhandler, COMM_CREATE_ERRHANDLER,
        (MPI_Comm_errhandler_function *function, Int *handler, Int *ierror))
{
  *ierror = MPI_Comm_create_errhandler(function, handler);
}

ROUTINE(comm_set_errhandler, COMM_SET_ERRHANDLER, (In *comm, In *handler, Int *ierror))
{
  *ierror = MPI_Comm_set_errhandler(*comm, *handler);
}

ROUTINE(comm_get_errhandler, COMM_GET_ERRHANDLER, (In *comm, Int *handler, Int *ierror))
{
  *ierror = MPI_Comm_get_errhandler(*comm, handler);
}

ROUTINE(comm_call_errhandler, COMM_CALL_ERRHANDLER, (In *comm, In *code, Int *ierror))
{
  *ierror = MPI_Comm_call_errhandler(*comm, *code);
}

ROUTINE(error_string, ERROR_STRING,
        (In *code, char *string, Int *length, Int *ierror, size_t size))
{
  char text[MPI_MAX_ERROR_STRING] = "";
  int ignored = 0;
  *ierror = MPI_Error_string(*code, text, &ignored);
  if (*ierror == MPI_SUCCESS)
    *length = put_text(string, size, text);
}

ROUTINE(error_class, ERROR_CLASS, (In *code, Int *class_of_code, Int *ierror))
{
  *ierror = MPI_Error_class(*code, class_of_code);
}
