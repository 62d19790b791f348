/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attributes. MPI-1 has INTEGER values, the names that came later such of an address's size. The
 * library below knows keyvals with C's functions only: those of a Fortran program stand behind two
 * of this file's, which find them in what C calls the extra state.
 */
#include "fortran.h"

#include <stdlib.h>

typedef void Copy(Int *comm, Int *keyval, Int *extra, Int *in, Int *out, Logical *flag,
                  Int *ierror);
typedef void Delete(Int *comm, Int *keyval, Int *value, Int *extra, Int *ierror);
typedef void WideCopy(Int *comm, Int *keyval, MPI_Aint *extra, MPI_Aint *in, MPI_Aint *out,
                      Logical *flag, Int *ierror);
typedef void WideDelete(Int *comm, Int *keyval, MPI_Aint *value, MPI_Aint *extra, Int *ierror);

/* Lives as long as the program: attributes outlive their keyval. */
struct functions {
  Copy *copy;
  Delete *delete;
  WideCopy *wide_copy;
  WideDelete *wide_delete;
  MPI_Aint extra;
  struct functions *others;
};

static struct functions *all_functions;

static int copy(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)
{
  struct functions *of = state;
  Int extra = (Int)of->extra;
  Int value = (Int)(MPI_Aint)in;
  Int copied = 0;
  Logical keep = 0;
  Int error = MPI_SUCCESS;
  of->copy(&comm, &keyval, &extra, &value, &copied, &keep, &error);
  *flag = truth_of(&keep);
  *(void **)out = (void *)(MPI_Aint)copied;
  return error;
}

static int delete(MPI_Comm comm, int keyval, void *attribute, void *state)
{
  struct functions *of = state;
  Int extra = (Int)of->extra;
  Int value = (Int)(MPI_Aint)attribute;
  Int error = MPI_SUCCESS;
  of->delete(&comm, &keyval, &value, &extra, &error);
  return error;
}

static int wide_copy(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)
{
  struct functions *of = state;
  MPI_Aint value = (MPI_Aint)in;
  MPI_Aint copied = 0;
  Logical keep = 0;
  Int error = MPI_SUCCESS;
  of->wide_copy(&comm, &keyval, &of->extra, &value, &copied, &keep, &error);
  *flag = truth_of(&keep);
  *(void **)out = (void *)copied;
  return error;
}

static int wide_delete(MPI_Comm comm, int keyval, void *attribute, void *state)
{
  struct functions *of = state;
  MPI_Aint value = (MPI_Aint)attribute;
  Int error = MPI_SUCCESS;
  of->wide_delete(&comm, &keyval, &value, &of->extra, &error);
  return error;
}

static struct functions *remember(struct functions what)
{
  struct functions *kept = malloc(sizeof *kept);
  if (!kept)
    return kept;
  what.others = all_functions;
  *kept = what;
  return all_functions = kept;
}

ROUTINE(keyval_create, KEYVAL_CREATE,
        (Copy *copier, Delete *deleter, Int *keyval, In *extra, Int *ierror))
{
  struct functions const what = {.copy = copier, .delete = deleter, .extra = *extra};
  struct functions *kept = remember(what);
  *ierror = kept ? MPI_Keyval_create(copy, delete, keyval, kept) : fail(MPI_ERR_OTHER);
}

ROUTINE(comm_create_keyval, COMM_CREATE_KEYVAL,
        (WideCopy *copier, WideDelete *deleter, Int *keyval, MPI_Aint const *extra, Int *ierror))
{
  struct functions const what = {.wide_copy = copier, .wide_delete = deleter, .extra = *extra};
  struct functions *kept = remember(what);
  *ierror =
      kept ? MPI_Comm_create_keyval(wide_copy, wide_delete, keyval, kept) : fail(MPI_ERR_OTHER);
}

ROUTINE(win_create_keyval, WIN_CREATE_KEYVAL,
        (WideCopy *copier, WideDelete *deleter, Int *keyval, MPI_Aint const *extra, Int *ierror))
{
  struct functions const what = {.wide_copy = copier, .wide_delete = deleter, .extra = *extra};
  struct functions *kept = remember(what);
  *ierror =
      kept ? MPI_Win_create_keyval(wide_copy, wide_delete, keyval, kept) : fail(MPI_ERR_OTHER);
}

ROUTINE(win_free_keyval, WIN_FREE_KEYVAL, (Int *keyval, Int *ierror))
{
  *ierror = MPI_Win_free_keyval(keyval);
}

ROUTINE(keyval_free, KEYVAL_FREE, (Int *keyval, Int *ierror))
{
  *ierror = MPI_Keyval_free(keyval);
}

ROUTINE(comm_free_keyval, COMM_FREE_KEYVAL, (Int *keyval, Int *ierror))
{
  *ierror = MPI_Comm_free_keyval(keyval);
}

ROUTINE(attr_put, ATTR_PUT, (In *comm, In *keyval, In *value, Int *ierror))
{
  *ierror = MPI_Attr_put(*comm, *keyval, (void *)(MPI_Aint)*value);
}

ROUTINE(comm_set_attr, COMM_SET_ATTR, (In *comm, In *keyval, MPI_Aint const *value, Int *ierror))
{
  *ierror = MPI_Comm_set_attr(*comm, *keyval, (void *)*value);
}

/* MPI's own keyvals have a number more than C's, and values that C has pointers to. */
static int is_mpis_own(int keyval)
{
  return keyval >= MPI_TAG_UB && keyval <= MPI_WTIME_IS_GLOBAL + 1;
}

static int get(MPI_Comm comm, int keyval, MPI_Aint *value, Logical *flag)
{
  int const own = is_mpis_own(keyval);
  void *found = NULL;
  int there = 0;
  int const error = MPI_Attr_get(comm, own ? (keyval - 1) | 1 : keyval, (void *)&found, &there);
  *flag = logical_of(there);
  if (there)
    *value = own ? *(int *)found : (MPI_Aint)found;
  return error;
}

ROUTINE(attr_get, ATTR_GET, (In *comm, In *keyval, Int *value, Logical *flag, Int *ierror))
{
  MPI_Aint found = *value;
  *ierror = get(*comm, *keyval, &found, flag);
  *value = (Int)found;
}

ROUTINE(comm_get_attr, COMM_GET_ATTR,
        (In *comm, In *keyval, MPI_Aint *value, Logical *flag, Int *ierror))
{
  *ierror = get(*comm, *keyval, value, flag);
}

ROUTINE(attr_delete, ATTR_DELETE, (In *comm, In *keyval, Int *ierror))
{
  *ierror = MPI_Attr_delete(*comm, *keyval);
}

ROUTINE(comm_delete_attr, COMM_DELETE_ATTR, (In *comm, In *keyval, Int *ierror))
{
  *ierror = MPI_Comm_delete_attr(*comm, *keyval);
}

ROUTINE(win_set_attr, WIN_SET_ATTR, (In *win, In *keyval, MPI_Aint const *value, Int *ierror))
{
  *ierror = MPI_Win_set_attr(*win, *keyval, (void *)*value);
}

/* Fortran's keyvals of MPI's own give the values themselves. */
ROUTINE(win_get_attr, WIN_GET_ATTR,
        (In *win, In *keyval, MPI_Aint *value, Logical *flag, Int *ierror))
{
  void *found = NULL;
  int there = 0;
  *ierror = MPI_Win_get_attr(*win, *keyval, (void *)&found, &there);
  *flag = logical_of(there);
  if (there)
    *value = (MPI_Aint)found;
}

ROUTINE(win_delete_attr, WIN_DELETE_ATTR, (In *win, In *keyval, Int *ierror))
{
  *ierror = MPI_Win_delete_attr(*win, *keyval);
}

/* Macros of C's header have these names. */
#undef MPI_NULL_COPY_FN
#undef MPI_NULL_DELETE_FN
#undef MPI_DUP_FN
#undef MPI_COMM_NULL_COPY_FN
#undef MPI_COMM_NULL_DELETE_FN
#undef MPI_COMM_DUP_FN
#undef MPI_WIN_NULL_COPY_FN
#undef MPI_WIN_NULL_DELETE_FN
#undef MPI_WIN_DUP_FN

ROUTINE(null_copy_fn, NULL_COPY_FN,
        (Int *comm, Int *keyval, Int *extra, Int *in, Int *out, Logical *flag, Int *ierror))
{
  (void)comm, (void)keyval, (void)extra, (void)in, (void)out;
  *flag = logical_of(0);
  *ierror = MPI_SUCCESS;
}

ROUTINE(dup_fn, DUP_FN,
        (Int *comm, Int *keyval, Int *extra, Int *in, Int *out, Logical *flag, Int *ierror))
{
  (void)comm, (void)keyval, (void)extra;
  *out = *in;
  *flag = logical_of(1);
  *ierror = MPI_SUCCESS;
}

ROUTINE(null_delete_fn, NULL_DELETE_FN,
        (Int *comm, Int *keyval, Int *value, Int *extra, Int *ierror))
{
  (void)comm, (void)keyval, (void)value, (void)extra;
  *ierror = MPI_SUCCESS;
}

ROUTINE(comm_null_copy_fn, COMM_NULL_COPY_FN,
        (Int *comm, Int *keyval, MPI_Aint *extra, MPI_Aint *in, MPI_Aint *out, Logical *flag,
         Int *ierror))
{
  (void)comm, (void)keyval, (void)extra, (void)in, (void)out;
  *flag = logical_of(0);
  *ierror = MPI_SUCCESS;
}

ROUTINE(comm_dup_fn, COMM_DUP_FN,
        (Int *comm, Int *keyval, MPI_Aint *extra, MPI_Aint *in, MPI_Aint *out, Logical *flag,
         Int *ierror))
{
  (void)comm, (void)keyval, (void)extra;
  *out = *in;
  *flag = logical_of(1);
  *ierror = MPI_SUCCESS;
}

ROUTINE(comm_null_delete_fn, COMM_NULL_DELETE_FN,
        (Int *comm, Int *keyval, MPI_Aint *value, MPI_Aint *extra, Int *ierror))
{
  (void)comm, (void)keyval, (void)value, (void)extra;
  *ierror = MPI_SUCCESS;
}

ROUTINE(win_null_copy_fn, WIN_NULL_COPY_FN,
        (Int *win, Int *keyval, MPI_Aint *extra, MPI_Aint *in, MPI_Aint *out, Logical *flag,
         Int *ierror))
{
  (void)win, (void)keyval, (void)extra, (void)in, (void)out;
  *flag = logical_of(0);
  *ierror = MPI_SUCCESS;
}

ROUTINE(win_dup_fn, WIN_DUP_FN,
        (Int *win, Int *keyval, MPI_Aint *extra, MPI_Aint *in, MPI_Aint *out, Logical *flag,
         Int *ierror))
{
  (void)win, (void)keyval, (void)extra;
  *out = *in;
  *flag = logical_of(1);
  *ierror = MPI_SUCCESS;
}

ROUTINE(win_null_delete_fn, WIN_NULL_DELETE_FN,
        (Int *win, Int *keyval, MPI_Aint *value, MPI_Aint *extra, Int *ierror))
{
  (void)win, (void)keyval, (void)value, (void)extra;
  *ierror = MPI_SUCCESS;
}
