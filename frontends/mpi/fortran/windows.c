/* SPDX-License-Identifier: BSD-3-Clause */
/* One-sided communication. Sizes and displacements are INTEGER (KIND=MPI_ADDRESS_KIND). */
#include "fortran.h"

typedef MPI_Aint const InAddress;

ROUTINE(win_create, WIN_CREATE,
        (void *base, InAddress *size, In *unit, In *info, In *comm, Int *win, Int
         *ierror))
{
  *ierror = MPI_Win_create(buffer_of(base), *size, *unit, *info, *comm, win);
}

ROUTINE(win_allocate, WIN_ALLOCATE,
        (InAddress *size, In *unit, In *info, In *comm, void *base, Int *win, Int
         *ierror))
{
  *ierror = MPI_Win_allocate(*size, *unit, *info, *comm, base, win);
}

ROUTINE(win_allocate_shared, WIN_ALLOCATE_SHARED,
        (InAddress *size, In *unit, In *info, In *comm, void *base, Int *win, Int
         *ierror))
{
  *ierror = MPI_Win_allocate_shared(*size, *unit, *info, *comm, base, win);
}

ROUTINE(win_shared_query, WIN_SHARED_QUERY,
        (In *win, In *rank, MPI_Aint *size, Int *unit, void *base, Int *ierror))
{
  *ierror = MPI_Win_shared_query(*win, *rank, size, unit, base);
}

ROUTINE(win_create_dynamic, WIN_CREATE_DYNAMIC, (In *info, In *comm, Int *win, Int *ierror))
{
  *ierror = MPI_Win_create_dynamic(*info, *comm, win);
}

ROUTINE(win_attach, WIN_ATTACH, (In *win, void *base, InAddress *size, Int *ierror))
{
  *ierror = MPI_Win_attach(*win, base, *size);
}

ROUTINE(win_detach, WIN_DETACH, (In *win, void *base, Int *ierror))
{
  *ierror = MPI_Win_detach(*win, base);
}

ROUTINE(win_free, WIN_FREE, (Int *win, Int *ierror))
{
  *ierror = MPI_Win_free(win);
}

ROUTINE(win_get_group, WIN_GET_GROUP, (In *win, Int *group, Int *ierror))
{
  *ierror = MPI_Win_get_group(*win, group);
}

ROUTINE(win_set_info, WIN_SET_INFO, (In *win, In *info, Int *ierror))
{
  *ierror = MPI_Win_set_info(*win, *info);
}

ROUTINE(win_get_info, WIN_GET_INFO, (In *win, Int *info, Int *ierror))
{
  *ierror = MPI_Win_get_info(*win, info);
}

ROUTINE(win_set_name, WIN_SET_NAME, (In *win, char const *name, Int *ierror, size_t size))
{
  char text[MPI_MAX_OBJECT_NAME];
  get_text(text, sizeof text, name, size);
  *ierror = MPI_Win_set_name(*win, text);
}

ROUTINE(win_get_name, WIN_GET_NAME, (In *win, char *name, Int *length, Int *ierror, size_t size))
{
  char text[MPI_MAX_OBJECT_NAME];
  int c_length = 0;
  *ierror = MPI_Win_get_name(*win, text, &c_length);
  if (*ierror == MPI_SUCCESS)
    *length = put_text(name, size, text);
}

/* SUBROUTINE HANDLER(WIN, CODE) is called as C's are. */
ROUTINE(win_create_errhandler, WIN_CREATE_ERRHANDLER,
        (MPI_Win_errhandler_function *function, Int *handler, Int *ierror))
{
  *ierror = MPI_Win_create_errhandler(function, handler);
}

ROUTINE(win_set_errhandler, WIN_SET_ERRHANDLER, (In *win, In *handler, Int *ierror))
{
  *ierror = MPI_Win_set_errhandler(*win, *handler);
}

ROUTINE(win_get_errhandler, WIN_GET_ERRHANDLER, (In *win, Int *handler, Int *ierror))
{
  *ierror = MPI_Win_get_errhandler(*win, handler);
}

ROUTINE(win_call_errhandler, WIN_CALL_ERRHANDLER, (In *win, In *code, Int *ierror))
{
  *ierror = MPI_Win_call_errhandler(*win, *code);
}

ROUTINE(put, PUT,
        (void *origin, In *origin_count, In *origin_type, In *rank, InAddress *place, In
         *count, In *type, In *win, Int *ierror))
{
  *ierror = MPI_Put(buffer_of(origin), *origin_count, *origin_type, *rank, *place, *count, *type,
                    *win);
}

ROUTINE(rput, RPUT,
        (void *origin, In *origin_count, In *origin_type, In *rank, InAddress *place, In
         *count, In *type, In *win, Int *request, Int *ierror))
{
  *ierror = MPI_Rput(buffer_of(origin), *origin_count, *origin_type, *rank, *place, *count, *type,
                     *win, request);
}

ROUTINE(get, GET,
        (void *origin, In *origin_count, In *origin_type, In *rank, InAddress *place, In
         *count, In *type, In *win, Int *ierror))
{
  *ierror = MPI_Get(buffer_of(origin), *origin_count, *origin_type, *rank, *place, *count, *type,
                    *win);
}

ROUTINE(rget, RGET,
        (void *origin, In *origin_count, In *origin_type, In *rank, InAddress *place, In
         *count, In *type, In *win, Int *request, Int *ierror))
{
  *ierror = MPI_Rget(buffer_of(origin), *origin_count, *origin_type, *rank, *place, *count, *type,
                     *win, request);
}

ROUTINE(accumulate, ACCUMULATE,
        (void *origin, In *origin_count, In *origin_type, In *rank, InAddress *place, In
         *count, In *type, In *op, In *win, Int *ierror))
{
  *ierror = MPI_Accumulate(buffer_of(origin), *origin_count, *origin_type, *rank, *place, *count,
                           *type, *op, *win);
}

ROUTINE(raccumulate, RACCUMULATE,
        (void *origin, In *origin_count, In *origin_type, In *rank, InAddress *place, In
         *count, In *type, In *op, In *win, Int *request, Int *ierror))
{
  *ierror = MPI_Raccumulate(buffer_of(origin), *origin_count, *origin_type, *rank, *place, *count,
                            *type, *op, *win, request);
}

ROUTINE(get_accumulate, GET_ACCUMULATE,
        (void *origin, In *origin_count, In *origin_type, void *result, In *result_count,
         In *result_type, In *rank, InAddress *place, In *count, In *type, In *op, In
         *win, Int *ierror))
{
  *ierror = MPI_Get_accumulate(buffer_of(origin), *origin_count, *origin_type, buffer_of(result),
                               *result_count, *result_type, *rank, *place, *count, *type, *op,
                               *win);
}

ROUTINE(rget_accumulate, RGET_ACCUMULATE,
        (void *origin, In *origin_count, In *origin_type, void *result, In *result_count,
         In *result_type, In *rank, InAddress *place, In *count, In *type, In *op, In
         *win, Int *request, Int *ierror))
{
  *ierror = MPI_Rget_accumulate(buffer_of(origin), *origin_count, *origin_type, buffer_of(result),
                                *result_count, *result_type, *rank, *place, *count, *type, *op,
                                *win, request);
}

ROUTINE(fetch_and_op, FETCH_AND_OP,
        (void *origin, void *result, In *type, In *rank, InAddress *place, In *op, In
         *win, Int *ierror))
{
  *ierror = MPI_Fetch_and_op(buffer_of(origin), buffer_of(result), *type, *rank, *place, *op,
                             *win);
}

ROUTINE(compare_and_swap, COMPARE_AND_SWAP,
        (void *origin, void *compared, void *result, In *type, In *rank, InAddress *place,
         In *win, Int *ierror))
{
  *ierror = MPI_Compare_and_swap(buffer_of(origin), buffer_of(compared), buffer_of(result), *type,
                                 *rank, *place, *win);
}

ROUTINE(win_fence, WIN_FENCE, (In *assertion, In *win, Int *ierror))
{
  *ierror = MPI_Win_fence(*assertion, *win);
}

ROUTINE(win_start, WIN_START, (In *group, In *assertion, In *win, Int *ierror))
{
  *ierror = MPI_Win_start(*group, *assertion, *win);
}

ROUTINE(win_post, WIN_POST, (In *group, In *assertion, In *win, Int *ierror))
{
  *ierror = MPI_Win_post(*group, *assertion, *win);
}

ROUTINE(win_complete, WIN_COMPLETE, (In *win, Int *ierror))
{
  *ierror = MPI_Win_complete(*win);
}

ROUTINE(win_wait, WIN_WAIT, (In *win, Int *ierror))
{
  *ierror = MPI_Win_wait(*win);
}

ROUTINE(win_unlock_all, WIN_UNLOCK_ALL, (In *win, Int *ierror))
{
  *ierror = MPI_Win_unlock_all(*win);
}

ROUTINE(win_flush_all, WIN_FLUSH_ALL, (In *win, Int *ierror))
{
  *ierror = MPI_Win_flush_all(*win);
}

ROUTINE(win_flush_local_all, WIN_FLUSH_LOCAL_ALL, (In *win, Int *ierror))
{
  *ierror = MPI_Win_flush_local_all(*win);
}

ROUTINE(win_sync, WIN_SYNC, (In *win, Int *ierror))
{
  *ierror = MPI_Win_sync(*win);
}

ROUTINE(win_test, WIN_TEST, (In *win, Logical *flag, Int *ierror))
{
  int done = 0;
  *ierror = MPI_Win_test(*win, &done);
  *flag = logical_of(done);
}

ROUTINE(win_lock, WIN_LOCK, (In *type, In *rank, In *assertion, In *win, Int *ierror))
{
  *ierror = MPI_Win_lock(*type, *rank, *assertion, *win);
}

ROUTINE(win_lock_all, WIN_LOCK_ALL, (In *assertion, In *win, Int *ierror))
{
  *ierror = MPI_Win_lock_all(*assertion, *win);
}

ROUTINE(win_unlock, WIN_UNLOCK, (In *rank, In *win, Int *ierror))
{
  *ierror = MPI_Win_unlock(*rank, *win);
}

ROUTINE(win_flush, WIN_FLUSH, (In *rank, In *win, Int *ierror))
{
  *ierror = MPI_Win_flush(*rank, *win);
}

ROUTINE(win_flush_local, WIN_FLUSH_LOCAL, (In *rank, In *win, Int *ierror))
{
  *ierror = MPI_Win_flush_local(*rank, *win);
}
